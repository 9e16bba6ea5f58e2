import JOSE
import OAuth
import Testing

@testable import AccessToken

@Suite("Claims that are written plainly are read in one pass, and as the strict way reads them")
struct PlainClaimsTests {
    private func plain(_ payload: [UInt8], _ known: KnownToken? = nil) -> ReadClaims? {
        AccessTokenDecoder.plainClaims(payload.span, known)
    }

    private func strict(_ payload: [UInt8]) -> ReadClaims? {
        try? AccessTokenDecoder.strictClaims(payload.span)
    }

    private func known() throws -> KnownToken {
        // {"alg":"ES256"}
        let jws = try CompactJWS(parsing: Array("eyJhbGciOiJFUzI1NiJ9.e30.AA".utf8))
        return KnownToken(
            header: jws.knownHeader, issuer: "https://as.example",
            audience: try ResourceID("RESOURCE_ID_BOOK"),
            scopes: ["read", "write"])
    }

    /// Payloads that the short cut takes.
    static let plainTexts: [String] = [
        #"{"iss":"https://as.example","sub":"app","client_id":"app","aud":"RESOURCE_ID_BOOK","iat":1699999990,"exp":1700003590,"jti":"AAAAAAAAAAAAAAAAAAAA-_","scope":"read write"}"#,
        #"{"iss":"https://as.example","sub":"app","client_id":"app","aud":["RESOURCE_ID_BOOK","RESOURCE_ID_REVIEW"],"iat":1699999990,"exp":1700003590,"jti":"AAAAAAAAAAAAAAAAAAAA-_","scope":"read write"}"#,
        #"{"nbf":0,"exp":1700003590,"aud":["https://other.example/#x","","RESOURCE_ID_BOOK"],"iss":"i","jti":"3f2b8c1e-uuid","sub":"someone","client_id":"app","iat":999999999999999}"#,
        #"{"scope":"","iss":"https://as.example","sub":"a","client_id":"b","aud":"","iat":1,"exp":2,"jti":"j"}"#,
        #"{"scope":"write  read read","iss":"https://as.example ","sub":"app","client_id":"app","aud":["RESOURCE_ID_BOOK"],"iat":1,"exp":2,"jti":"j"}"#,
    ]

    @Test("the payloads of the server, and others that are plain, are taken", arguments: plainTexts)
    func taken(text: String) throws {
        let payload = Array(text.utf8)
        let claims = try #require(plain(payload))
        #expect(claims == strict(payload))
        #expect(try plain(payload, known()) == claims)
    }

    @Test("what the server writes is plain")
    func encoded() throws {
        let claims = AccessTokenClaims(
            issuer: "https://as.example", audience: [try ResourceID("RESOURCE_ID_BOOK")],
            clientID: try ClientID("app"), issuedAt: 1, expiresAt: 2,
            tokenID: try TokenID("AAAAAAAAAAAAAAAAAAAA-_"), scopes: ["read"])
        #expect(plain(AccessTokenEncoder.payload(claims))?.claims == claims)
    }

    @Test(
        "all else is left to the strict way, right or wrong",
        arguments: [
            ("iss", "\"\""), ("iss", "\"a\\u0062\""), ("iss", "\"é\""), ("sub", "5"), ("sub", "null"),
            ("client_id", "\"\""), ("aud", "[]"), ("aud", "{}"), ("aud", "[5]"), ("aud", "[[\"a\"]]"),
            ("aud", "[\"a\",]"), ("exp", "-1"), ("exp", "1.5"), ("exp", "1e9"), ("exp", "01"), ("exp", ""),
            ("exp", "1000000000000000"), ("exp", "\"5\""), ("iat", "+1"), ("jti", "\"\""),
            ("scope", "[\"read\"]"),
            ("scope", "\"re\\\"ad\""), ("scope", "null"), ("nbf", "null"), ("nbf", "0 "), ("roles", "[]"),
            ("iss", nil), ("sub", nil), ("client_id", nil), ("aud", nil), ("iat", nil), ("exp", nil),
            ("jti", nil),
        ] as [(String, String?)])
    func left(name: String, text: String?) throws {
        #expect(plain(TokenMaker.payload(name, text)) == nil)
    }

    @Test(
        "a claim twice is left to the strict way, which refuses it",
        arguments: ["iss", "aud", "exp", "scope"])
    func duplicates(name: String) throws {
        for payload in Self.plainTexts.map({ Array($0.utf8) }) {
            let value = try JSON.parse(payload).object?[name]
            guard let value else { continue }
            let twice = payload.dropLast() + ",\"\(name)\":".utf8 + JSON.serialize(value) + "}".utf8
            #expect(plain(Array(twice)) == nil && strict(Array(twice)) == nil)
        }
    }

    @Test("whatever the short cut takes of changed payloads, the strict way takes with the same values")
    func agreement() throws {
        var random = Repeatable(seed: 1)
        let known = try known()
        var takenCount = 0
        for round in 0..<20_000 {
            var payload = Array(Self.plainTexts[round % Self.plainTexts.count].utf8)
            for _ in 0...Int.random(in: 0..<3, using: &random) { Self.change(&payload, &random) }
            for claims in [plain(payload), plain(payload, known)].compactMap(\.self) {
                takenCount += 1
                #expect(claims == strict(payload), "\(String(decoding: payload, as: UTF8.self))")
            }
        }
        // Else the test would say nothing.
        #expect(takenCount > 2000)
    }

    private static let pieces = [
        "\"", "\\", ",", ":", "{", "}", "[", "]", " ", "\n", "\u{0}", "\u{7F}", "é", "0", "9", "-", ".", "e",
        "iss",
        "\"aud\"", ",\"nbf\":5", ",\"x\":{}", "\\u0061", "null", "a", "_", "/", "#", "RESOURCE_ID_BOOK",
    ].map { Array($0.utf8) }

    /// Replaces, removes, inserts or repeats something.
    private static func change(_ payload: inout [UInt8], _ random: inout Repeatable) {
        let place = Int.random(in: 0...payload.count, using: &random)
        let end = min(place + Int.random(in: 0..<4, using: &random), payload.count)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: payload.replaceSubrange(place..<end, with: pieces.randomElement(using: &random) ?? [])
        case 1: payload.removeSubrange(place..<end)
        case 2:
            let source = Int.random(in: 0...payload.count, using: &random)
            let part = payload[source..<min(source + Int.random(in: 0..<30, using: &random), payload.count)]
            payload.insert(contentsOf: Array(part), at: place)
        default: payload.replaceSubrange(place..<end, with: [UInt8.random(in: .min ... .max, using: &random)])
        }
    }
}

/// Numbers that are the same in each run (SplitMix64).
private struct Repeatable: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
