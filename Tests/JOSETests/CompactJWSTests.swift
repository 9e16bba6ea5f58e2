import JOSE
import OpenSSLCrypto
import TestSupport
import Testing

@Suite("Compact JWS (RFC 7515)") struct CompactJWSTests {
    private static let key = Result { try PrivateKey.generate(.es256) }

    private func maker() throws -> TokenMaker { TokenMaker(key: try Self.key.get()) }

    @Test("what is signed is read and verified", arguments: SignatureAlgorithm.allCases)
    func roundTrip(algorithm: SignatureAlgorithm) throws {
        let key = try PrivateKey.generate(algorithm)
        let payload = Array("{}".utf8)
        let token = try CompactJWSSigner(key: key, keyID: "k\"1", type: "at+jwt").sign(payload.span)
        let jws = try CompactJWS(parsing: token)
        #expect(jws.header.algorithm == algorithm.rawValue)
        #expect(jws.header.keyID == "k\"1")
        #expect(jws.header.type == "at+jwt")
        #expect(jws.payload == payload)
        #expect(jws.verify(with: key.publicKey))
        #expect(try !jws.verify(with: PrivateKey.generate(algorithm).publicKey))
    }

    @Test("A header that is known is the header of tokens that begin with its very text, and of no others")
    func knownHeader() throws {
        let maker = try maker()
        let header = #"{"alg":"ES256","typ":"at+jwt","kid":"one"}"#
        let known = try #require(read(try maker.token(header: header, payload: #"{"a":1}"#))).knownHeader
        let others = [
            header, #"{"alg":"none","typ":"at+jwt","kid":"one"}"#,
            #"{"alg":"ES256","typ":"at+jwt","kid":"two"}"#,
            #"{"alg":"ES256","typ":"at+jwt","kid":"one" }"#, "{}", "[]", #"{"alg":"ES256","crit":["x"]}"#,
        ]
        for (index, other) in others.enumerated() {
            let token = try maker.token(header: other, payload: #"{"b":2}"#)
            let (plain, read) = (read(token), try? CompactJWS(parsing: token, known: known))
            #expect(plain?.header == read?.header)
            #expect(plain?.payload == read?.payload)
            #expect((read?.knownHeader === known) == (index == 0))
            #expect(read?.verify(with: maker.key.publicKey) == plain?.verify(with: maker.key.publicKey))
        }
    }

    @Test(
        "a token whose header is known is verified whole: its header, payload and signature",
        arguments: SignatureAlgorithm.allCases)
    func knownHeaderVerifies(algorithm: SignatureAlgorithm) throws {
        let key = try PrivateKey.generate(algorithm)
        // Headers around a block of the hash, whose beginning is hashed once.
        for padding in 0..<70 {
            let signer = try CompactJWSSigner(
                key: key, keyID: String(repeating: "k", count: 1 + padding), type: "at+jwt")
            let known = try CompactJWS(parsing: signer.sign(Array("{}".utf8).span)).knownHeader
            let token = try signer.sign(Array(#"{"a":1}"#.utf8).span)
            let read = try CompactJWS(parsing: token, known: known)
            #expect(read.knownHeader === known)
            #expect(read.verify(with: key.publicKey))
            guard padding % 23 == 0 else { continue }
            let dots = token.indices.filter { token[$0] == UInt8(ascii: ".") }
            for place in [0, dots[0] - 1, dots[0] + 1, dots[1] - 2, dots[1] + 1] {
                var changed = token
                changed[place] = changed[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
                let read = try? CompactJWS(parsing: changed, known: known)
                #expect(read?.verify(with: key.publicKey) != true, "byte \(place) of \(token.count)")
            }
        }
    }

    @Test(
        "A1, A2, G1: no other alg than the key's is verified, however the signature was made",
        arguments: [
            "none", "None", "NONE", "nOnE", "HS256", "RS256", "EdDSA", "ES384", "ES256K", "es256", "ES256 ",
            "ES256\\u0000",
        ])
    func algorithm(name: String) throws {
        let maker = try maker()
        let token = try maker.token(header: "{\"alg\":\"\(name)\"}")
        let jws = try #require(read(token))
        #expect(!jws.verify(with: maker.key.publicKey))
    }

    @Test("A1: the public key is not taken as the secret of HS256, in whatever form", arguments: [0, 1, 2])
    func confusion(form: Int) throws {
        let key = try maker().key.publicKey
        let texts = [
            JSON.serialize(JWK(key).json()), Array(JWK.thumbprint(of: key).utf8),
            Array("\(key.parameters)".utf8),
        ]
        var token = Array((Base64URL.encode(Array(#"{"alg":"HS256"}"#.utf8)) + ".e30").utf8)
        let secret = texts[form]
        let code = HMACSHA256.code(key: secret.span, message: token.span)
        token += Array(("." + Base64URL.encode(code)).utf8)
        #expect(read(token)?.verify(with: key) == false)
    }

    @Test(
        "A2, G1: a header whose alg is no text, or that is no object, is refused",
        arguments: [
            "{}", #"{"alg":""}"#, #"{"alg":null}"#, #"{"alg":256}"#, #"{"alg":["none"]}"#,
            #"{"ALG":"ES256"}"#, "[]",
            #""ES256""#, "null", "", "{", #"{"alg":"ES256"}}"#, #"{"alg":"ES256","alg":"none"}"#,
            #"{"alg":"ES256","\u0061lg":"none"}"#, "{\"alg\":\"ES256\",\"k\n\":1}",
        ])
    func header(text: String) throws {
        #expect(read(try maker().token(header: text)) == nil)
    }

    @Test("G17: a key checks no other algorithm's token", arguments: SignatureAlgorithm.allCases)
    func otherKey(algorithm: SignatureAlgorithm) throws {
        let token = try TokenMaker(key: PrivateKey.generate(algorithm)).token(
            header: "{\"alg\":\"\(algorithm.rawValue)\"}")
        let jws = try #require(read(token))
        for other in SignatureAlgorithm.allCases where other != algorithm {
            #expect(try !jws.verify(with: PrivateKey.generate(other).publicKey))
        }
    }

    @Test("RS256 and PS256 are two algorithms, also of one pair of numbers")
    func oneModulus() throws {
        let key = try PrivateKey.generate(.rs256)
        let token = try TokenMaker(key: key).token(header: #"{"alg":"PS256"}"#)
        let jws = try #require(read(token))
        #expect(!jws.verify(with: key.publicKey))
        #expect(try !jws.verify(with: PublicKey(key.publicKey.parameters, algorithm: .ps256)))
    }

    @Test(
        "A5, G3: crit and b64 are refused, whatever they hold",
        arguments: [
            #""crit":["x"],"x":1"#, #""crit":["x"]"#, #""crit":[]"#, #""crit":"x""#, #""crit":[null]"#,
            #""crit":null"#,
            #""crit":["exp"]"#, #""crit":["alg"]"#, #""crit":["b64"],"b64":false"#, #""b64":false"#,
            #""b64":true"#,
        ])
    func critical(members: String) throws {
        #expect(
            refusal(of: try maker().token(header: "{\"alg\":\"ES256\",\(members)}")) == .criticalParameter)
    }

    @Test(
        "A20: kid, typ and cty are texts or refused",
        arguments: [#""kid":1"#, #""kid":{"$ne":null}"#, #""kid":null"#, #""typ":["at+jwt"]"#, #""cty":5"#])
    func types(member: String) throws {
        #expect(read(try maker().token(header: "{\"alg\":\"ES256\",\(member)}")) == nil)
    }

    @Test("A19, G3: a key in the header is a text like any other: it verifies nothing")
    func keyInHeader() throws {
        let forger = try PrivateKey.generate(.es256)
        let jwk = String(decoding: JSON.serialize(JWK(forger.publicKey).json()), as: UTF8.self)
        let token = try TokenMaker(key: forger).token(
            header:
                "{\"alg\":\"ES256\",\"jwk\":\(jwk),\"jku\":\"http://127.0.0.1:1/\",\"x5c\":[\"\"],\"x5u\":\"x\"}"
        )
        #expect(try read(token)?.verify(with: maker().key.publicKey) == false)
    }

    @Test(
        "G2: ES256 signatures that are zero, out of range, DER, or of another length",
        arguments: [
            [UInt8](repeating: 0, count: 64), [UInt8](repeating: 0xFF, count: 64),
            [0x30, 0x06, 2, 1, 0, 2, 1, 0],
            [0x30, 0x06, 2, 1, 1, 2, 1, 1], [UInt8](repeating: 1, count: 63),
            [UInt8](repeating: 1, count: 65),
            [UInt8](repeating: 0, count: 31) + [1] + [UInt8](repeating: 0, count: 32),
        ])
    func signature(bytes: [UInt8]) throws {
        let maker = try maker()
        let parts = String(decoding: try maker.token(header: #"{"alg":"ES256"}"#), as: UTF8.self).split(
            separator: ".")
        let token = "\(parts[0]).\(parts[1]).\(Base64URL.encode(bytes))"
        #expect(read(Array(token.utf8))?.verify(with: maker.key.publicKey) == false)
    }

    @Test("A23, G5: changes of the text of a good token are refused")
    func laxText() throws {
        let maker = try maker()
        let token = String(
            decoding: try maker.token(header: #"{"alg":"ES256"}"#, payload: "{\"a\":1}"), as: UTF8.self)
        let parts = token.split(separator: ".").map(String.init)
        let changed = [
            token + "=", token + ".", "." + token, token + ".e30", token + "\n", " " + token, token + "!!!!",
            token + "\u{0}",
            parts[0] + "." + parts[1], parts[0] + "." + parts[1] + ".", parts[0], "", ".", "..", "...",
            "." + parts[1] + "." + parts[2],
            parts[0] + "=." + parts[1] + "." + parts[2], parts[0] + "." + parts[1] + "=." + parts[2],
            parts[0] + "\n." + parts[1] + "." + parts[2],
            parts[0] + ".\(parts[1].prefix(2))=\(parts[1].dropFirst(2))." + parts[2],
            parts.joined(separator: ".."), "Bearer " + token,
        ]
        #expect(read(Array(token.utf8))?.verify(with: maker.key.publicKey) == true)
        for text in changed {
            #expect(read(Array(text.utf8))?.verify(with: maker.key.publicKey) != true, "\(text)")
        }
    }

    @Test("each bit of a token counts")
    func bits() throws {
        let maker = try maker()
        let token = try maker.token(header: #"{"alg":"ES256","kid":"k"}"#)
        for index in token.indices {
            for bit in 0..<8 {
                var changed = token
                changed[index] ^= 1 << bit
                #expect(read(changed)?.verify(with: maker.key.publicKey) != true)
            }
        }
    }

    @Test("an empty payload is one (RFC 7515 section 3.1), and is signed")
    func emptyPayload() throws {
        let maker = try maker()
        let jws = try #require(read(try maker.token(header: #"{"alg":"ES256"}"#, payload: "")))
        #expect(jws.payload.isEmpty)
        #expect(jws.verify(with: maker.key.publicKey))
    }

    @Test("A24: JSON serializations are refused, also with a good token inside")
    func jsonSerialization() throws {
        let token = String(decoding: try maker().token(header: #"{"alg":"ES256"}"#), as: UTF8.self)
        let parts = token.split(separator: ".")
        let texts = [
            "{\"payload\":\"\(parts[1])\",\"protected\":\"\(parts[0])\",\"signature\":\"\(parts[2])\"}",
            "{\"payload\":\"\(parts[1])\",\"signatures\":[{\"protected\":\"\(parts[0])\",\"signature\":\"\(parts[2])\"}]}",
            "{\"x\":\"\(token)\"}",
        ]
        for text in texts { #expect(read(Array(text.utf8)) == nil) }
    }

    @Test(
        "A25, A26, G16: dots, encryption and size are refused at once",
        arguments: [
            (LongText(String(repeating: ".", count: 7000)), JWSError.notCompact),
            (LongText(String(repeating: ".", count: 1_000_000)), .tooLarge),
            (
                LongText("eyJhbGciOiJQQkVTMi1IUzI1NitBMTI4S1ciLCJwMmMiOjIxNDc0ODM2NDd9.AAAA.AAAA.AAAA.AAAA"),
                .notCompact
            ),
            (LongText(String(repeating: "A", count: 1_000_000)), .tooLarge),
            (LongText(String(repeating: "A", count: 16384)), .notCompact),
        ])
    func bounds(text: LongText, error: JWSError) {
        let token = Array(text.text.utf8)
        var refused: JWSError?
        let duration = ContinuousClock().measure { refused = refusal(of: token) }
        #expect(refused == error)
        #expect(duration < .milliseconds(100))
    }

    @Test("A34, G16: a header nested too deep is refused, and one of 16 kB is read")
    func deepHeader() throws {
        let maker = try maker()
        let deep =
            "{\"alg\":\"ES256\",\"x\":" + String(repeating: "[", count: 8) + String(repeating: "]", count: 8)
            + "}"
        #expect(read(try maker.token(header: deep)) == nil)
        let many = "{\"alg\":\"ES256\"" + (0..<1000).map { ",\"k\($0)\":0" }.joined() + "}"
        #expect(read(try maker.token(header: many))?.verify(with: maker.key.publicKey) == true)
    }
}
