import OAuth
import Testing

@testable import ResourceGuard

/// What the log is told of a refused token, and the client is not.
struct LogDetailTests {
    private static let identity = #"client "gateway", jti "AAAAAAAAAAAAAAAAAAAAAA""#

    @Test func `A16 a missing scope: the log names client, token and the scope that it has`() async throws {
        let issuer = try TestIssuer()
        let resourceGuard = try bookGuard(.jwks(issuer.keySet))
        let token = try issuer.token()
        for _ in 1...2 {
            let refusal = try #require(await refusal(resourceGuard, token, requiring: ["write"]))
            #expect(
                refusal.description == "403 insufficient_scope: the token lacks the scope: write ("
                    + Self.identity + #", its scope "read")"#)
            #expect(refusal.clientID == (try ClientID("gateway")))
            #expect(isKept("gateway", from: refusal) && isKept("AAAA", from: refusal))
        }
    }

    @Test(arguments: [
        (#""RESOURCE_ID_GATEWAY""#, "RESOURCE_ID_GATEWAY"),
        (
            #"["RESOURCE_ID_GATEWAY","https://other.example/#x"]"#,
            "RESOURCE_ID_GATEWAY https://other.example/#x"
        ),
        (#""a\nb\u001b[31m\"""#, #"a\nb\u{1B}[31m\""#), (#""""#, ""),
    ])
    func `G7 another audience: the log names client, token and its aud as the token has it`(
        audience: String, logged: String
    ) async throws {
        let issuer = try TestIssuer()
        let resourceGuard = try bookGuard(.jwks(issuer.keySet))
        let refusal = try #require(await refusal(resourceGuard, issuer.token(["aud": audience])))
        #expect(
            refusal.description
                == "401 wrong_audience: the token does not contain resource id RESOURCE_ID_BOOK ("
                + Self.identity + ", its aud \"\(logged)\")")
        #expect(refusal.clientID?.value == "gateway")
        #expect(isKept("gateway", from: refusal) && isKept("GATEWAY", from: refusal))
    }

    @Test func `an expired token (RFC 7519 §4.1.4): the log says when it expired, and what time it is here`()
        async throws
    {
        let issuer = try TestIssuer()
        let clock = FakeClock()
        let token = try issuer.token(["exp": "\(TestIssuer.now + 60).5"])
        let times =
            ", iat 2027-01-15T07:59:50Z, exp 2027-01-15T08:01:00Z; this machine's clock says 2027-01-15T08:01:07Z)"
        let resourceGuard = try bookGuard(.jwks(issuer.keySet), clock: clock) { $0.leeway = 5 }
        clock.advance(.seconds(67))
        let refusal = try #require(await refusal(resourceGuard, token))
        #expect(refusal.description == "401 expired: the token has expired (" + Self.identity + times)
        #expect(refusal.clientID?.value == "gateway")
        #expect(isKept("2027", from: refusal) && isKept("gateway", from: refusal))
    }

    @Test func `a token not valid yet (RFC 7519 §4.1.5): the log says from when on, and what time it is`()
        async throws
    {
        let issuer = try TestIssuer()
        let resourceGuard = try bookGuard(.jwks(issuer.keySet))
        let refusal = try #require(
            await refusal(resourceGuard, issuer.token(["nbf": "\(TestIssuer.now + 3600)"])))
        #expect(
            refusal.description == "401 not_yet_valid: the token is not valid yet (" + Self.identity
                + ", iat 2027-01-15T07:59:50Z, nbf 2027-01-15T09:00:00Z; this machine's clock says "
                + "2027-01-15T08:00:00Z)")
        #expect(refusal.clientID?.value == "gateway" && isKept("2027", from: refusal))
    }

    @Test func `a time beyond any calendar does no harm`() async throws {
        let issuer = try TestIssuer()
        let resourceGuard = try bookGuard(.jwks(issuer.keySet))
        for claims in [
            ["exp": "-9007199254740992"], ["nbf": "9007199254740992"], ["iat": "-1e15", "exp": "1"],
        ] {
            let refusal = try #require(await refusal(resourceGuard, issuer.token(claims)))
            #expect(refusal.description.contains("this machine's clock says"), "\(refusal)")
        }
    }

    @Test func `what the token holds is escaped and cut`() async throws {
        let issuer = try TestIssuer()
        let resourceGuard = try bookGuard(.jwks(issuer.keySet))
        let scopes = (0..<500).map { "scope\($0)" }.joined(separator: " ")
        let token = try issuer.token([
            "client_id": #""app\u202e\"""#, "sub": "\"x\"", "jti": #""é""#, "scope": "\"\(scopes)\"",
        ])
        let refusal = try #require(await refusal(resourceGuard, token))
        #expect(
            refusal.logDetail.hasPrefix(#"client "app\u{202E}\"", jti "\u{00E9}", its scope "scope0 scope1 "#)
        )
        #expect(refusal.logDetail.hasSuffix("…\"") && refusal.logDetail.utf8.count < 300)
    }

    @Test(arguments: [
        ([], "no Authorization header"), (["Basic YTpi"], "another scheme than Bearer"),
        (["Negotiate YTpi"], "another scheme than Bearer"), (["DPoP abc"], "another scheme than Bearer"),
        ([""], malformed), (["abc.def.ghi"], malformed), (["abc"], malformed), ([" Bearer abc"], malformed),
        (["Token\tabc"], malformed), (["Token: abc"], malformed),
    ])
    func `no credentials (RFC 6750 §3.1): the log tells whether there was a header, and the client not`(
        fields: [String], detail: String
    ) async throws {
        let resourceGuard = try bookGuard(.jwks(TestIssuer().keySet))
        let refusal = try #require(
            await #expect(throws: Refusal.self) { try await resourceGuard.authorize(fields) })
        #expect(
            refusal.description
                == "401 no_credentials: an access token is needed: send it as Authorization: Bearer (\(detail))"
        )
        #expect(refusal.wwwAuthenticate == #"Bearer realm="RESOURCE_ID_BOOK""#)
        #expect(isKept(detail, from: refusal))
    }

    private static let malformed =
        "a malformed Authorization header: not a scheme, a space and credentials; perhaps Bearer is missing"

    @Test func `a token whose signature was not verified is nobody's`() async throws {
        let issuer = try TestIssuer()
        let resourceGuard = try bookGuard(.jwks(issuer.keySet))
        let good = try issuer.token()
        let signature = good[(good.lastIndex(of: ".") ?? good.startIndex)...]
        let payload = TestIssuer.encode(
            TestIssuer.payload(["aud": "\"x\"", "exp": "1", "scope": "\"admin\""]))
        let tokens = [
            TestIssuer.encode(issuer.header) + "." + payload + signature,
            try TestIssuer().token(["aud": "\"x\""]), try issuer.token(["iss": "\"https://evil.example\""]),
            try issuer.token(["typ": "x"], header: #"{"alg":"ES256","typ":"JWT","kid":"x"}"#),
        ]
        let reasons = [RefusalReason.badSignature, .unknownKey, .wrongIssuer, .malformedToken]
        for (token, expected) in zip(tokens, reasons) {
            let refusal = try #require(await refusal(resourceGuard, token))
            #expect(refusal.reason == expected && refusal.clientID == nil)
            #expect(!refusal.description.contains("gateway") && !refusal.description.contains("AAAA"))
        }
        let header = await #expect(throws: Refusal.self) { try await resourceGuard.authorize(nil) }
        #expect(header?.clientID == nil)
    }
}
