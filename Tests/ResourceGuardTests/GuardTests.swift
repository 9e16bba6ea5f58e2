import Foundation
import OAuth
import OpenSSLCrypto
import Testing

@testable import ResourceGuard

struct GuardTests {
    @Test(arguments: SignatureAlgorithm.allCases)
    func `a token in order is let in, and says what it allows`(algorithm: SignatureAlgorithm) async throws {
        let issuer = try TestIssuer(algorithm)
        let resourceGuard = try bookGuard(.jwks(issuer.keySet))
        let token = try issuer.token(["tenant": "\"blue\"", "scope": "\"write read\""])
        for _ in 1...2 {
            let access = try await resourceGuard.authorize("Bearer \(token)", requiring: ["read"])
            #expect(access.clientID.value == "gateway")
            #expect(access.subject == "gateway")
            #expect(access.scopes == ["read", "write"])
            #expect(access.resource.value == "RESOURCE_ID_BOOK")
            #expect(access.expiresAt == TestIssuer.now + 3600)
            #expect(access.tokenID.value == "AAAAAAAAAAAAAAAAAAAAAA")
            #expect(String(decoding: access.payload, as: UTF8.self).contains(#""tenant":"blue""#))
        }
    }

    @Test func `no header, an empty one or another scheme: 401 without error code`() async throws {
        let resourceGuard = try bookGuard(.jwks(TestIssuer().keySet))
        for fields in [[], [""], ["Basic YTpi"]] {
            let error = await #expect(throws: Refusal.self) {
                try await resourceGuard.authorize(fields, requiring: ["read"])
            }
            #expect(error?.status == 401)
            #expect(error?.wwwAuthenticate == #"Bearer realm="RESOURCE_ID_BOOK""#)
        }
    }

    @Test func `G11 two Authorization headers and malformed ones: 400`() async throws {
        let issuer = try TestIssuer()
        let resourceGuard = try bookGuard(.jwks(issuer.keySet))
        let good = "Bearer " + (try issuer.token())
        #expect(try await resourceGuard.authorize([good], requiring: ["read"]).clientID.value == "gateway")
        for fields in [
            [good, good], [good, ""], [good + " "], [good + "\n"], ["Bearer"], [good + "," + good],
        ] {
            let error = await #expect(throws: Refusal.self) {
                try await resourceGuard.authorize(fields, requiring: ["read"])
            }
            #expect(error?.status == 400, "\(fields)")
        }
    }

    @Test func `G7 a token for another resource is refused and told which resource id it lacks`() async throws
    {
        let issuer = try TestIssuer()
        let resourceGuard = try bookGuard(.jwks(issuer.keySet))
        let token = try issuer.token(["aud": "\"RESOURCE_ID_GATEWAY\""])
        let error = await #expect(throws: Refusal.self) {
            try await resourceGuard.authorize("Bearer \(token)")
        }
        #expect(error?.reason == .wrongAudience && error?.status == 401)
        #expect(error?.explanation == "the token does not contain resource id RESOURCE_ID_BOOK")
        #expect(
            error?.wwwAuthenticate
                == #"Bearer realm="RESOURCE_ID_BOOK", error="invalid_token", error_description="the token does not contain resource id RESOURCE_ID_BOOK""#
        )
    }

    @Test func `A16 a missing scope is 403 and names what is needed`() async throws {
        let issuer = try TestIssuer()
        let resourceGuard = try bookGuard(.jwks(issuer.keySet))
        let token = try issuer.token()
        let error = await #expect(throws: Refusal.self) {
            try await resourceGuard.authorize("Bearer \(token)", requiring: ["read", "write"])
        }
        #expect(error?.status == 403 && error?.requiredScopes == ["read", "write"])
        #expect(error?.explanation == "the token lacks the scope: write")
    }

    @Test func `a remembered token does not outlive its exp`() async throws {
        let issuer = try TestIssuer()
        let clock = FakeClock()
        let resourceGuard = try bookGuard(.jwks(issuer.keySet), clock: clock)
        let token = try issuer.token(["exp": "\(TestIssuer.now + 60)"])
        #expect(await reason(resourceGuard, token) == nil)
        clock.advance(.seconds(59))
        #expect(await reason(resourceGuard, token) == nil)
        clock.advance(.seconds(1))
        #expect(await reason(resourceGuard, token) == .expired)
    }

    @Test func `G6 a token issued in the future is let in: iat is no limit (RFC 7519 §4.1.6)`()
        async throws
    {
        let issuer = try TestIssuer()
        let resourceGuard = try bookGuard(.jwks(issuer.keySet))
        let token = try issuer.token(["iat": "\(TestIssuer.now + 7200)", "exp": "\(TestIssuer.now + 10_800)"])
        #expect(await reason(resourceGuard, token) == nil)
    }

    @Test func `a remembered token does not lend itself to another text`() async throws {
        let issuer = try TestIssuer()
        let resourceGuard = try bookGuard(.jwks(issuer.keySet))
        let token = try issuer.token()
        #expect(await reason(resourceGuard, token) == nil)
        let forged =
            TestIssuer.encode(issuer.header) + "."
            + TestIssuer.encode(
                TestIssuer.payload(["scope": "\"read write\""]))
            + token[(token.lastIndex(of: ".") ?? token.startIndex)...]
        #expect(await reason(resourceGuard, forged) == .badSignature)
        #expect(await reason(resourceGuard, token + "=") == .malformedToken)
        #expect(await reason(resourceGuard, token, requiring: ["write"]) == .insufficientScope)
    }

    @Test func `refusals and their descriptions never hold the token`() async throws {
        let issuer = try TestIssuer()
        let resourceGuard = try bookGuard(.jwks(issuer.keySet))
        for token in [
            try issuer.token(["aud": "\"other\""]), try issuer.token(["exp": "1"]), try TestIssuer().token(),
            try issuer.token(["iss": "\"https://evil.example\""]),
        ] {
            let error = await #expect(throws: Refusal.self) {
                try await resourceGuard.authorize("Bearer \(token)", requiring: ["read"])
            }
            let parts = token.split(separator: ".")
            var dumped = ""
            dump(error, to: &dumped)
            for part in parts {
                #expect(!dumped.contains(part) && !"\(String(describing: error))".contains(part))
            }
        }
    }

    @Test(arguments: [-1, 61, 1_000_000] as [Int64])
    func `G6 a leeway beyond a minute is a configuration error`(leeway: Int64) throws {
        let issuer = try TestIssuer()
        #expect(throws: ResourceGuard.ConfigurationError.self) {
            try bookGuard(.jwks(issuer.keySet)) { $0.leeway = leeway }
        }
    }

    @Test func `what cannot work is refused when the guard is made, with the reason`() throws {
        let issuer = try TestIssuer()
        #expect(throws: ResourceGuard.ConfigurationError.self) {
            try ResourceGuard(issuer: TestIssuer.name, resource: "RESOURCE ID", keys: .jwks(issuer.keySet))
        }
        for keys in [
            KeySource.jwks(""), .jwks("{}"), .jwks(#"{"keys":[]}"#), .jwksFile("/nonexistent/keys.json"),
            .jwksURL("http://auth.example/keys"), .jwksURL("file:///etc/passwd"), .jwksURL(""),
        ] {
            #expect(throws: ResourceGuard.ConfigurationError.self) {
                try ResourceGuard(issuer: TestIssuer.name, resource: "RESOURCE_ID_BOOK", keys: keys)
            }
        }
        for name in ["http://auth.example", "auth", ""] {
            #expect(throws: ResourceGuard.ConfigurationError.self) {
                try ResourceGuard(issuer: name, resource: "RESOURCE_ID_BOOK")
            }
        }
    }

    @Test func `what is printed of an access has no token in it`() async throws {
        let issuer = try TestIssuer()
        let token = try issuer.token()
        let access = try await bookGuard(.jwks(issuer.keySet)).authorize("Bearer \(token)")
        var dumped = ""
        dump(access, to: &dumped)
        let signature = try #require(token.split(separator: ".").last)
        for text in ["\(access)", String(reflecting: access), dumped] {
            #expect(!text.contains(signature) && !text.contains(token.prefix(20)), "\(text)")
            #expect(text.contains("gateway") && text.contains("RESOURCE_ID_BOOK"), "\(text)")
        }
    }
}
