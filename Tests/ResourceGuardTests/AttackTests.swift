import JOSE
import OpenSSLCrypto
import Testing

@testable import ResourceGuard

/// Tokens that broke other libraries, against the whole guard.
struct AttackTests {
    private let issuer: TestIssuer
    private let resourceGuard: ResourceGuard

    init() throws {
        issuer = try TestIssuer()
        resourceGuard = try bookGuard(.jwks(issuer.keySet))
    }

    private func reason(_ token: String) async -> RefusalReason? {
        await ResourceGuardTests.reason(resourceGuard, token)
    }

    /// The tests below prove something only if the unchanged token passes.
    @Test func `the token that the attacks change is good`() async throws {
        #expect(await reason(try issuer.token()) == nil)
    }

    @Test(arguments: [
        #""alg":"none","#, #""alg":"None","#, #""alg":"nOnE","#, #""alg":"","#, #""alg":null,"#,
        #""alg":["none"],"#,
        #""alg":5,"#, #""alg":"HS256","#, #""alg":"RS256","#, #""alg":"EdDSA","#, #""alg":"es256","#, "",
    ])
    func `G1 G17 A2 the header's alg opens nothing but its own key`(alg: String) async throws {
        let header = #"{\#(alg)"typ":"at+jwt","kid":"\#(issuer.keyID)"}"#
        #expect(await reason(try issuer.sign(header, TestIssuer.payload())) != nil)
        let unsigned = TestIssuer.encode(header) + "." + TestIssuer.encode(TestIssuer.payload()) + "."
        #expect(await reason(unsigned) == .malformedToken)
    }

    @Test func `G1 A1 HMAC with the published key as secret is refused`() async throws {
        let header = #"{"alg":"HS256","typ":"at+jwt","kid":"\#(issuer.keyID)"}"#
        let input = TestIssuer.encode(header) + "." + TestIssuer.encode(TestIssuer.payload())
        let message = Array(input.utf8)
        for secret in [issuer.keySet, String(decoding: JSON.serialize(issuer.jwk.json()), as: UTF8.self), ""]
        {
            let key = Array(secret.utf8)
            let code = HMACSHA256.code(key: key.span, message: message.span)
            #expect(await reason(input + "." + Base64URL.encode(code)) == .unknownKey)
        }
    }

    /// The forms in which an RSA key lies about, each tried as the secret of HS256 (CVE-2015-9235 and its kin).
    @Test(arguments: [
        "SPKI, DER", "SPKI, PEM", "PKCS#1, DER", "PKCS#1, PEM", "PEM with a space before it",
        "PEM with a line feed before it", "JWK", "modulus",
    ])
    func `G1 A1 HMAC with an RSA key as secret is refused, in whatever form`(form: String) async throws {
        let issuer = try TestIssuer(.rs256)
        let key = try RSAKeyForms(issuer.key.publicKey)
        let resourceGuard = try bookGuard(.jwks(issuer.keySet))
        #expect(await ResourceGuardTests.reason(resourceGuard, try issuer.token()) == nil)
        let header = #"{"alg":"HS256","typ":"at+jwt","kid":"\#(issuer.keyID)"}"#
        let input = TestIssuer.encode(header) + "." + TestIssuer.encode(TestIssuer.payload())
        let secret: [UInt8] =
            switch form {
            case "SPKI, DER": key.spki
            case "SPKI, PEM": key.pem("PUBLIC KEY", key.spki)
            case "PKCS#1, DER": key.pkcs1
            case "PKCS#1, PEM": key.pem("RSA PUBLIC KEY", key.pkcs1)
            case "PEM with a space before it": [0x20] + key.pem("PUBLIC KEY", key.spki)
            case "PEM with a line feed before it": [0x0A] + key.pem("PUBLIC KEY", key.spki)
            case "JWK": JSON.serialize(issuer.jwk.json())
            default: key.modulus
            }
        let code = HMACSHA256.code(key: secret.span, message: Array(input.utf8).span)
        #expect(
            await ResourceGuardTests.reason(resourceGuard, input + "." + Base64URL.encode(code))
                == .unknownKey)
    }

    @Test(arguments: [0, 1, 63, 64, 65, 72]) func `G2 A3 a signature of zeros is refused`(count: Int)
        async throws
    {
        let token = try issuer.token()
        let signed = token[...(token.lastIndex(of: ".") ?? token.startIndex)]
        #expect(await reason(signed + Base64URL.encode([UInt8](repeating: 0, count: count))) != nil)
    }

    /// n, the order of P-256's group, which r and s must be below; and numbers that take more or less than they may.
    @Test(arguments: [
        "r is n", "s is n", "r is 0", "s is 0", "DER", "DER of zeros", "a byte more", "a byte less",
    ])
    func `G2 A3 a signature whose numbers are out of range or in another form is refused`(form: String)
        async throws
    {
        let order: [UInt8] =
            [UInt8](repeating: 0xFF, count: 4) + [UInt8](repeating: 0, count: 4)
            + [UInt8](repeating: 0xFF, count: 8)
            + [
                0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25,
                0x51,
            ]
        let token = try issuer.token()
        let end = try #require(token.lastIndex(of: "."))
        let good = try #require(Base64URL.decode(String(token[token.index(after: end)...])))
        let (r, s) = (Array(good[..<32]), Array(good[32...]))
        let changed: [UInt8] =
            switch form {
            case "r is n": order + s
            case "s is n": r + order
            case "r is 0": [UInt8](repeating: 0, count: 32) + s
            case "s is 0": r + [UInt8](repeating: 0, count: 32)
            case "DER": [0x30, 70, 2, 33, 0] + r + [2, 33, 0] + s
            case "DER of zeros": [0x30, 6, 2, 1, 0, 2, 1, 0]
            case "a byte more": good + [0]
            default: good.dropLast()
            }
        #expect(await reason(token[...end] + Base64URL.encode(changed)) == .badSignature)
    }

    @Test(arguments: [
        #""crit":["exp"]"#, #""crit":[]"#, #""crit":"x""#, #""crit":[null]"#, #""crit":["b64"],"b64":false"#,
        #""b64":false"#,
    ])
    func `G3 A5 crit is refused whatever it holds`(member: String) async throws {
        let header = #"{"alg":"ES256","typ":"at+jwt","kid":"\#(issuer.keyID)",\#(member)}"#
        #expect(await reason(try issuer.sign(header, TestIssuer.payload())) == .malformedToken)
    }

    @Test func `G3 A19 a key in the header is not trusted`() async throws {
        let attacker = try TestIssuer()
        let jwk = String(decoding: JSON.serialize(attacker.jwk.json()), as: UTF8.self)
        for keyID in [attacker.keyID, issuer.keyID] {
            for member in [#""jwk":\#(jwk)"#, #""x5c":["MIIB"]"#, #""jku":"http://127.0.0.1:1/""#] {
                let header = #"{"alg":"ES256","typ":"at+jwt","kid":"\#(keyID)",\#(member)}"#
                let why = await reason(try attacker.sign(header, TestIssuer.payload()))
                #expect(why == .unknownKey || why == .badSignature)
            }
        }
    }

    @Test(arguments: ["jku", "x5u"]) func `G3 A19 an address in the header is never asked`(name: String)
        async throws
    {
        let attacker = try TestIssuer()
        let listener = try KeyServer(keySet: attacker.keySet)
        for keyID in [attacker.keyID, issuer.keyID] {
            let header =
                #"{"alg":"ES256","typ":"at+jwt","kid":"\#(keyID)","\#(name)":"\#(listener.url)/keys"}"#
            let why = await reason(try attacker.sign(header, TestIssuer.payload()))
            #expect(why == .unknownKey || why == .badSignature)
        }
        #expect(listener.requests == 0)
    }

    @Test(arguments: [
        #"{"alg":"ES256","alg":"none","typ":"at+jwt","kid":"KID"}"#,
        #"{"alg":"ES256","\u0061lg":"none","typ":"at+jwt","kid":"KID"}"#,
    ])
    func `G4 A6 a name twice in the header is refused`(header: String) async throws {
        let header = header.replacing("KID", with: issuer.keyID)
        #expect(await reason(try issuer.sign(header, TestIssuer.payload())) == .malformedToken)
    }

    @Test(arguments: ["\"aud\":\"x\"", "\"exp\":1", "\"\\u0061ud\":\"x\"", "\"sub\":\"x\""])
    func `G4 A6 a name twice in the payload is refused`(member: String) async throws {
        let payload = TestIssuer.payload().dropLast() + "," + member + "}"
        #expect(await reason(try issuer.sign(issuer.header, String(payload))) == .malformedToken)
    }

    @Test func `G5 A23 A25 A26 another form is refused`() async throws {
        let token = try issuer.token()
        let parts = token.split(separator: ".").map(String.init)
        for text in [
            token + "=", token + ".", "." + token, token + ".a", parts[0] + "." + parts[1], parts[0], "..",
            ".",
            parts[0] + ".." + parts[2], parts[0] + "=." + parts[1] + "." + parts[2], token + "+", token + "/",
            String(repeating: ".", count: 7000), "a.b.c.d.e",
        ] { #expect(await reason(text) == .malformedToken, "\(text.prefix(40))") }
        for text in [token + "!!!!", token + "\n", "a b", #"{"payload":"x"}"#] {
            #expect(await reason(text) == .malformedHeader)
        }
    }

    @Test(
        arguments: [
            "\"never\"", "\"1900000000\"", "true", "null", "[]", "{}", "1e400", "NaN", "99999999999999999999",
            "9223372036854775808", "-1e400", nil,
        ] as [String?])
    func `G6 A9 A10 exp must be a finite number`(exp: String?) async throws {
        #expect(await reason(try issuer.token(["exp": exp])) == .malformedToken)
    }

    @Test(
        arguments: [
            ("\(TestIssuer.now)", RefusalReason.expired), ("\(TestIssuer.now + 1)", nil),
            ("\(TestIssuer.now).5", nil), ("\(TestIssuer.now - 1).5", .expired), ("-5", .expired),
            ("1.9e9", nil),
            ("0", .expired),
        ] as [(String, RefusalReason?)])
    func `A11 A12 the second of exp is the first at which the token is expired`(
        exp: String, expected: RefusalReason?
    ) async throws {
        #expect(await reason(try issuer.token(["exp": exp])) == expected)
    }

    @Test func `A12 G6 the leeway moves both ends`() async throws {
        let lenient = try bookGuard(.jwks(issuer.keySet)) { $0.leeway = 60 }
        let now = TestIssuer.now
        for (claims, expected) in [
            (["exp": "\(now - 59)"], nil), (["exp": "\(now - 60)"], .expired), (["nbf": "\(now + 60)"], nil),
            (["nbf": "\(now + 61)"], .notYetValid), (["nbf": "\(now + 3600)"], .notYetValid),
        ] as [([String: String], RefusalReason?)] {
            let token = try issuer.token(claims)
            #expect(await ResourceGuardTests.reason(lenient, token) == expected, "\(claims)")
        }
        #expect(await reason(try issuer.token(["nbf": "\(now)"])) == nil)
        #expect(await reason(try issuer.token(["nbf": "\(now + 1)"])) == .notYetValid)
        #expect(await reason(try issuer.token(["nbf": "\"x\""])) == .malformedToken)
    }

    @Test(
        arguments: [
            ("\"RESOURCE_ID_BOOK\"", nil), ("[\"other\",\"RESOURCE_ID_BOOK\"]", nil),
            ("\"MY_RESOURCE_ID_BOOK\"", RefusalReason.wrongAudience), ("\"RESOURCE_ID_BOO\"", .wrongAudience),
            ("\"resource_id_book\"", .wrongAudience), ("[\"other\"]", .wrongAudience),
            ("[\"\"]", .wrongAudience),
            ("\"\"", .wrongAudience), ("[]", .malformedToken), ("5", .malformedToken),
            ("null", .malformedToken),
            ("[[\"RESOURCE_ID_BOOK\"]]", .malformedToken), ("{\"RESOURCE_ID_BOOK\":1}", .malformedToken),
            (nil, .malformedToken), ("\"RESOURCE_ID_BOOK \"", .wrongAudience),
        ] as [(String?, RefusalReason?)])
    func `G7 A13 A14 aud holds the resource id exactly`(aud: String?, expected: RefusalReason?) async throws {
        #expect(await reason(try issuer.token(["aud": aud])) == expected)
    }

    @Test(arguments: [
        "\"https://auth.example/\"", "\"https://AUTH.example\"", "\"HTTPS://auth.example\"", "\"http\"",
        "\"https://auth.exampl\"", "\"https://auth.example.evil\"", "\"xhttps://auth.example\"",
    ])
    func `G8 A15 iss is the issuer, byte by byte`(iss: String) async throws {
        #expect(await reason(try issuer.token(["iss": iss])) == .wrongIssuer)
    }

    @Test func `G8 A15 an array that holds the issuer is none`() async throws {
        #expect(
            await reason(try issuer.token(["iss": "[\"\(TestIssuer.name)\"]"])) == .malformedToken)
    }

    @Test func `G8 the log names both issuers, safe to print, and the answer neither`() async throws {
        let resourceGuard = try bookGuard(.jwks(issuer.keySet))
        let foreign = #""https://\u001b[2J\n\u202eevil\"\u2028"# + String(repeating: "x", count: 300) + "\""
        let refusal = try #require(await refusal(resourceGuard, issuer.token(["iss": foreign])))
        #expect(refusal.reason == .wrongIssuer)
        let shown = #"its iss is "https://\u{1B}[2J\n\u{202E}evil\"\u{2028}"#
        #expect(refusal.description.contains(shown), "\(refusal.description)")
        #expect(refusal.description.hasSuffix(#"x…", this service takes "https://auth.example")"#))
        #expect(refusal.description.unicodeScalars.count < 400)
        #expect(isKept("evil", from: refusal) && isKept("auth.example", from: refusal))
    }

    @Test(arguments: [
        ("https://auth.example", "https://auth.example/", "without"),
        ("https://auth.example/", "https://auth.example", "with"),
    ])
    func `G8 an iss that differs in the slash at the end alone is refused, and the log says so`(
        iss: String, expected: String, advice: String
    ) async throws {
        let resourceGuard = try bookGuard(.jwks(issuer.keySet), issuer: expected)
        let refusal = try #require(await refusal(resourceGuard, issuer.token(["iss": "\"\(iss)\""])))
        #expect(refusal.reason == .wrongIssuer)
        #expect(
            refusal.description.hasSuffix(": give the guard the issuer \(advice) the slash at the end)"),
            "\(refusal.description)")
        #expect(isKept("slash", from: refusal))
    }

    @Test func `G8 an iss that differs in the scheme alone is refused, and the log says so`() async throws {
        let resourceGuard = try bookGuard(.jwks(issuer.keySet), issuer: "http://localhost:8083")
        let token = try issuer.token(["iss": #""https://localhost:8083""#])
        let refusal = try #require(await refusal(resourceGuard, token))
        #expect(
            refusal.description.hasSuffix(": give the guard the issuer with https)"), "\(refusal.description)"
        )
    }

    @Test func `G8 an issuer may end in a slash, where tokens say so too`() async throws {
        let resourceGuard = try bookGuard(.jwks(issuer.keySet), issuer: "https://tenant.example/")
        let token = try issuer.token(["iss": "\"https://tenant.example/\""])
        #expect(await ResourceGuardTests.reason(resourceGuard, token) == nil)
    }

    @Test(arguments: ["iss", "exp", "aud", "sub", "client_id", "iat", "jti"])
    func `A33 G23 a required claim that is missing, empty or of another type is refused`(name: String)
        async throws
    {
        for json in [nil, "null", "\"\"", "{}", "true"] {
            guard name != "aud" || json != "\"\"" else { continue }
            #expect(await reason(try issuer.token([name: json])) == .malformedToken, "\(json ?? "missing")")
        }
    }

    @Test(
        arguments: [
            ("at+jwt", nil), ("AT+JWT", nil), ("application/at+jwt", nil),
            ("JWT", RefusalReason.malformedToken),
            ("dpop+jwt", .malformedToken), ("logout+jwt", .malformedToken), ("", .malformedToken),
            ("at+jwtx", .malformedToken), (nil, .malformedToken),
        ] as [(String?, RefusalReason?)])
    func `G9 A18 other kinds of JWT are no access tokens`(type: String?, expected: RefusalReason?)
        async throws
    {
        let member = type.map { #""typ":"\#($0)","# } ?? ""
        let header = #"{"alg":"ES256",\#(member)"kid":"\#(issuer.keyID)"}"#
        #expect(await reason(try issuer.sign(header, TestIssuer.payload())) == expected)
    }

    @Test(
        arguments: [
            ("\"read\"", nil), ("\"write read\"", nil), ("\"readwrite\"", RefusalReason.insufficientScope),
            ("\"read:all\"", .insufficientScope), ("\"readonly\"", .insufficientScope),
            ("\"Read\"", .insufficientScope), ("\"write,read\"", .insufficientScope),
            ("\"\"", .insufficientScope),
            (nil, .insufficientScope), ("[\"read\"]", .malformedToken), ("5", .malformedToken),
            ("null", .malformedToken), ("\"read\\u0000\"", .malformedToken),
        ] as [(String?, RefusalReason?)])
    func `G10 A16 A17 a scope matches exactly or not at all`(scope: String?, expected: RefusalReason?)
        async throws
    {
        #expect(await reason(try issuer.token(["scope": scope])) == expected)
    }

    @Test(arguments: [
        "\"../../../../dev/null\"", "\"x' UNION SELECT 'k'--\"", "{\"$ne\":null}", "1", "\"\\u0000\"", "null",
        "\"\"",
    ])
    func `A20 G22 a kid finds its key or none, and is nothing else`(kid: String) async throws {
        let header = #"{"alg":"ES256","typ":"at+jwt","kid":\#(kid)}"#
        let why = await reason(try issuer.sign(header, TestIssuer.payload()))
        #expect(why == .unknownKey || why == .malformedToken)
    }

    @Test func `A20 a kid that names an empty file, with the empty secret, is refused`() async throws {
        let header = #"{"alg":"HS256","typ":"at+jwt","kid":"../../../../dev/null"}"#
        let input = TestIssuer.encode(header) + "." + TestIssuer.encode(TestIssuer.payload())
        let code = HMACSHA256.code(key: [UInt8]().span, message: Array(input.utf8).span)
        #expect(await reason(input + "." + Base64URL.encode(code)) == .unknownKey)
        let long = String(repeating: "k", count: 100_000)
        let token = try issuer.sign(#"{"alg":"ES256","typ":"at+jwt","kid":"\#(long)"}"#, TestIssuer.payload())
        #expect(await reason(token) == .tokenTooLong)
    }

    @Test func `G22 a token without kid is refused though there is but one key`() async throws {
        let token = try issuer.sign(#"{"alg":"ES256","typ":"at+jwt"}"#, TestIssuer.payload())
        #expect(await reason(token) == .unknownKey)
    }

    @Test func `G25 A22 two keys with one kid verify each its own tokens, in either order`() async throws {
        let ec = try TestIssuer(.es256, keyID: "k")
        let rsa = try TestIssuer(.rs256, keyID: "k")
        for order in [[ec, rsa], [rsa, ec]] {
            let both = try bookGuard(.jwks(TestIssuer.keySet(order)))
            for issuer in order {
                let token = try issuer.token()
                #expect(await ResourceGuardTests.reason(both, token) == nil)
            }
        }
    }

    @Test func `G16 A34 giants are refused at once`() async throws {
        let clock = ContinuousClock()
        for text in [
            String(repeating: "a", count: 1 << 20), String(repeating: ".", count: 1 << 20),
            try issuer.sign(issuer.header, String(repeating: "[", count: 9000)),
            try issuer.sign(String(repeating: "[", count: 9000), TestIssuer.payload()),
            try issuer.sign(
                "{" + (0..<900).map { "\"k\($0)\":1" }.joined(separator: ",") + "}", TestIssuer.payload()),
        ] {
            let elapsed = await clock.measure {
                let why = await reason(text)
                #expect(why == .tokenTooLong || why == .malformedToken)
            }
            #expect(elapsed < .seconds(1))
        }
    }
}
