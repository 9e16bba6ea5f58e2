import AccessToken
import JOSE
import OAuth
import OpenSSLCrypto
import Testing

@Suite("Claims of an access token (RFC 9068)") struct ClaimTests {
    @Test("a good token passes, and says what it says")
    func good() throws {
        #expect(try refusal(payload: JSON.serialize(.object(TokenMaker.goodClaims))) == nil)
    }

    @Test(
        "A33: each required claim is required (section 2.2)",
        arguments: ["iss", "sub", "client_id", "aud", "exp", "iat", "jti"])
    func required(name: String) throws {
        #expect(try refusal(payload: TokenMaker.payload(name, nil)) == .invalidClaim(name))
    }

    @Test(
        "G23, A33: each claim of the wrong type is refused",
        arguments: ["iss", "sub", "client_id", "aud", "exp", "iat", "jti", "nbf", "scope"],
        ["null", "true", "{}", "[]", "[null]", "[[\"RESOURCE_ID_BOOK\"]]", "[\"RESOURCE_ID_BOOK\",5]"])
    func types(name: String, text: String) throws {
        #expect(try refusal(payload: TokenMaker.payload(name, text)) == .invalidClaim(name))
    }

    @Test(
        "a number where a text belongs is refused",
        arguments: ["iss", "sub", "client_id", "aud", "jti", "scope"])
    func numbers(name: String) throws {
        #expect(try refusal(payload: TokenMaker.payload(name, "5")) == .invalidClaim(name))
    }

    @Test(
        "texts that are no identifiers are refused, not trapped on",
        arguments: [
            ("iss", #""""#), ("sub", #""""#), ("client_id", #""""#), ("client_id", #""a\nb""#),
            ("jti", #""""#),
            ("jti", #""a\u0000b""#), ("scope", #""read\nwrite""#), ("scope", #""re\"ad""#),
            ("scope", #""é""#),
        ])
    func identifiers(name: String, text: String) throws {
        #expect(try refusal(payload: TokenMaker.payload(name, text)) == .invalidClaim(name))
    }

    @Test(
        "A9, A10, G6: a time is a finite number that a clock can reach",
        arguments: ["exp", "iat", "nbf"],
        [
            #""never""#, #""1700000000""#, #""2020-01-01T00:00:00Z""#, "99999999999999999999",
            "9223372036854775807",
            "-9223372036854775808", "9007199254740993", "1e300",
        ])
    func times(name: String, text: String) throws {
        #expect(try refusal(payload: TokenMaker.payload(name, text)) == .invalidClaim(name))
    }

    @Test(
        "G6: numbers that are none in JSON",
        arguments: ["1e400", "NaN", "Infinity", "0x7fffffff", "1700000000.", "+1700003600"])
    func noNumbers(text: String) throws {
        guard case .invalidPayload = try refusal(payload: TokenMaker.payload("exp", text)) else {
            return #expect(Bool(false), "exp \(text) was read")
        }
    }

    @Test(
        "A11, A12: exp is the first moment at which the token is no longer valid",
        arguments: [
            ("1700000000", 0, false), ("1700000001", 0, true), ("1700000060.5", 0, true),
            ("1699999999.5", 0, false),
            ("1700000000.25", 0, true), ("1.9e9", 0, true), ("-1", 0, false), ("0", 60, false),
            ("1699999990", 10, false),
            ("1699999991", 10, true), ("1699999940", 60, false), ("1699999941", 60, true),
            ("1699999941", 3600, true),
            ("1699999939", 3600, false), ("1699999999", -5, false), ("1699999999", .nan, false),
            ("9007199254740992", 0, true),
        ] as [(String, Double, Bool)])
    func expiry(exp: String, leeway: Double, isValid: Bool) throws {
        let refusal = try refusal(payload: TokenMaker.payload("exp", exp), leeway: leeway)
        #expect(refusal == (isValid ? nil : .expired))
    }

    @Test(
        "A12: nbf is the first moment at which the token is valid",
        arguments: [
            ("1700000000", 0, true), ("1700000001", 0, false), ("1700000000.5", 0, false),
            ("1700000010", 10, true),
            ("1700000011", 10, false), ("1700003600", 60, false), ("-1", 0, true),
        ] as [(String, Double, Bool)])
    func notBefore(nbf: String, leeway: Double, isValid: Bool) throws {
        let refusal = try refusal(payload: TokenMaker.payload("nbf", nbf), leeway: leeway)
        #expect(refusal == (isValid ? nil : .notYetValid))
    }

    @Test(
        "a clock with fractions of a second counts them",
        arguments: [(1_700_003_589.999, true), (1_700_003_590, false)])
    func fraction(now: Double, isValid: Bool) throws {
        let refusal = try refusal(payload: TokenMaker.payload("nbf", nil), now: now)
        #expect(refusal == (isValid ? nil : .expired))
    }

    @Test("G6: iat ahead is no reason: RFC 7519 section 4.1.6 gives it no such meaning")
    func issuedAhead() throws {
        #expect(try refusal(payload: TokenMaker.payload("iat", "1700000900")) == nil)
    }

    @Test(
        "A13, A14, G7: aud holds the resource, by exact match, or the token is refused",
        arguments: [
            (#""RESOURCE_ID_BOOK""#, true), (#"["other","RESOURCE_ID_BOOK"]"#, true),
            (#"["RESOURCE_ID_BOOK"]"#, true),
            (#"["https://other.example/#x","","\u00e9","RESOURCE_ID_BOOK"]"#, true),
            (#""RESOURCE\u005fID_BOOK""#, true),
            (#""MY_RESOURCE_ID_BOOK""#, false), (#""RESOURCE_ID_BOO""#, false),
            (#""resource_id_book""#, false),
            (#""RESOURCE_ID_BOOK ""#, false), (#""RESOURCE_ID_REVIEW RESOURCE_ID_BOOK""#, false),
            (#"["other"]"#, false),
            (#"[""]"#, false), (#""""#, false), (#"["https://other.example/#x"]"#, false), (#""*""#, false),
        ])
    func audience(text: String, isValid: Bool) throws {
        let refusal = try refusal(payload: TokenMaker.payload("aud", text))
        #expect(refusal == (isValid ? nil : .wrongAudience))
    }

    @Test(
        "A15, G8: iss is the issuer, letter by letter",
        arguments: [
            "http", "https://as.example/", "https://as.exampl", "https://as.example.evil",
            "HTTPS://as.example",
            "https://AS.example", "https://as.example?", " https://as.example", "https://as.example\\u0000",
            // The long s, which lower-cases to s elsewhere.
            "https://a\\u017f.example",
        ])
    func issuer(text: String) throws {
        #expect(try refusal(payload: TokenMaker.payload("iss", "\"\(text)\"")) == .wrongIssuer)
    }

    @Test("A15: an issuer that is canonically equivalent, but of other bytes, is another one")
    func equivalentIssuer() throws {
        let token = try TokenMaker.shared.get().token(
            payload: TokenMaker.payload("iss", "\"https://e\u{301}.example\""))
        let read = try AccessTokenDecoder.decode(token)
        #expect(throws: AccessTokenError.wrongIssuer) {
            try AccessTokenValidation(issuer: "https://\u{E9}.example").checkIssuer(read)
        }
    }

    @Test(
        "A18, G9: typ says that it is an access token, in any case (RFC 9068 section 4)",
        arguments: [
            (#","typ":"at+jwt""#, true), (#","typ":"AT+JWT""#, true), (#","typ":"application/at+jwt""#, true),
            (#","typ":"Application/AT+jwt""#, true), ("", false), (#","typ":"JWT""#, false),
            (#","typ":"dpop+jwt""#, false),
            (#","typ":"logout+jwt""#, false), (#","typ":"at+jwt ""#, false), (#","typ":"at""#, false),
            (#","typ":"""#, false),
            (#","typ":"text/at+jwt""#, false), (#","typ":"at+jwt\u0000""#, false),
        ])
    func type(member: String, isValid: Bool) throws {
        let payload = TokenMaker.payload("nbf", nil)
        let refusal = try refusal(payload: payload, header: "{\"alg\":\"ES256\"\(member)}")
        #expect(refusal == (isValid ? nil : .wrongType))
    }

    @Test(
        "A16, G10: scopes are words, matched exactly; missing and empty are none",
        arguments: [
            (#""read""#, ["read"]), (#""write read read""#, ["read", "write"]),
            (#""readwrite""#, ["readwrite"]),
            (#""read:all Read""#, ["Read", "read:all"]), (#""write,read""#, ["write,read"]), (#""""#, []),
            (nil, []),
        ] as [(String?, [String])])
    func scopes(text: String?, expected: [String]) throws {
        let token = try TokenMaker.shared.get().token(payload: TokenMaker.payload("scope", text))
        let claims = try AccessTokenDecoder.decode(token).claims
        #expect(claims.scopes.sorted.map(\.value) == expected)
    }

    @Test("A17, G10: scope as an array is refused")
    func scopeArray() throws {
        #expect(
            try refusal(payload: TokenMaker.payload("scope", #"["read","write"]"#)) == .invalidClaim("scope"))
    }

    @Test("A6, G4: a claim twice is refused", arguments: ["aud", "exp", "sub"])
    func duplicates(name: String) throws {
        var payload = JSON.serialize(.object(TokenMaker.goodClaims))
        payload.removeLast()
        payload += ",\"\(name)\":1}".utf8
        guard case .invalidPayload(let error) = try refusal(payload: payload) else {
            return #expect(Bool(false), "was read")
        }
        #expect(error?.code == .duplicateName)
    }

    @Test(
        "A34, G16: payloads that are no claims",
        arguments: ["", "[]", "null", "5", "{", "\"text\"", String(repeating: "[", count: 10_000)])
    func noClaims(text: String) throws {
        guard case .invalidPayload = try refusal(payload: Array(text.utf8)) else {
            return #expect(Bool(false), "was read")
        }
    }

    @Test("a jti of another issuer is taken, and every claim is handed on")
    func foreign() throws {
        let payload = TokenMaker.payload("jti", #""3f2b8c1e-uuid","roles":["a"],"nested":{"b":[1.5]}"#)
        let maker = try TokenMaker.shared.get()
        let token = try maker.token(payload: payload)
        let verified = try AccessTokenValidation(issuer: "https://as.example").verify(
            AccessTokenDecoder.decode(token), with: maker.key.publicKey, now: TokenMaker.now)
        #expect(verified.claims.tokenID.value == "3f2b8c1e-uuid")
        #expect(verified.members["roles"] == ["a"])
        #expect(verified.members["nested"] == ["b": [.number(1.5)]])
        #expect(verified.subject == "app")
    }

    @Test("A1, G17: the right claims with another's signature are refused")
    func signature() throws {
        let maker = try TokenMaker.shared.get()
        let text = try maker.token(payload: TokenMaker.payload("nbf", nil))
        let token = try AccessTokenDecoder.decode(text)
        let validation = AccessTokenValidation(issuer: "https://as.example")
        for algorithm in SignatureAlgorithm.allCases {
            let other = try PrivateKey.generate(algorithm).publicKey
            #expect(throws: AccessTokenError.wrongSignature) {
                try validation.verify(token, with: other, now: TokenMaker.now)
            }
        }
    }

    @Test("A26, G16: what is no signed token says why")
    func notSigned() {
        let large = [UInt8](repeating: UInt8(ascii: "."), count: 1_000_000)
        #expect(throws: AccessTokenError.notASignedToken(.tooLarge)) {
            try AccessTokenDecoder.decode(large)
        }
        let few: [UInt8] = Array("a.b".utf8)
        #expect(throws: AccessTokenError.notASignedToken(.notCompact)) {
            try AccessTokenDecoder.decode(few)
        }
    }
}
