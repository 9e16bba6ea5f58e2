import Foundation
import OAuth
import Testing

@testable import ResourceGuard

/// The guard's rows of the table of answers.
struct RefusalTests {
    private let challenge = Challenge(
        realm: "RESOURCE_ID_BOOK", metadataURL: "https://books.example/.well-known/oauth-protected-resource")

    private func refusal(_ reason: RefusalReason, _ scopes: Scopes? = nil) -> Refusal {
        Refusal(reason, "what is \"wrong\"", challenge: challenge, retryAfter: nil, requiredScopes: scopes)
    }

    private static let metadata =
        #", resource_metadata="https://books.example/.well-known/oauth-protected-resource""#

    @Test func `no credentials: 401, and no error code (RFC 6750 §3.1)`() throws {
        let refusal = refusal(.noCredentials)
        #expect(refusal.status == 401)
        #expect(refusal.wwwAuthenticate == #"Bearer realm="RESOURCE_ID_BOOK""# + Self.metadata)
        #expect(try members(refusal)["error"] == nil)
    }

    @Test(arguments: [RefusalReason.repeatedHeader, .malformedHeader])
    func `malformed: 400 invalid_request`(reason: RefusalReason) throws {
        let refusal = refusal(reason)
        #expect(refusal.status == 400)
        #expect(refusal.wwwAuthenticate?.contains(#"error="invalid_request""#) == true)
        #expect(try members(refusal)["error"] as? String == "invalid_request")
    }

    @Test(arguments: [
        RefusalReason.expired, .revoked, .badSignature, .wrongIssuer, .wrongAudience, .unknownKey,
        .malformedToken,
        .notYetValid, .tokenTooLong,
    ])
    func `a bad token: 401 invalid_token`(reason: RefusalReason) throws {
        let refusal = refusal(reason)
        #expect(refusal.status == 401)
        #expect(
            refusal.wwwAuthenticate
                == #"Bearer realm="RESOURCE_ID_BOOK", error="invalid_token", error_description="what is 'wrong'""#
                + Self.metadata)
        #expect(try members(refusal)["error"] as? String == "invalid_token")
        #expect(try members(refusal)["error_description"] as? String == "what is \"wrong\"")
    }

    @Test func `a missing scope: 403 insufficient_scope, and the scopes that are needed`() throws {
        let refusal = refusal(.insufficientScope, ["write", "read"])
        #expect(refusal.status == 403)
        #expect(refusal.wwwAuthenticate?.contains(#"error="insufficient_scope""#) == true)
        #expect(refusal.wwwAuthenticate?.contains(#", scope="read write""#) == true)
        #expect(try members(refusal)["scope"] as? String == "read write")
    }

    @Test(arguments: [RefusalReason.keysUnavailable, .checkUnavailable])
    func `no answer: 503 with Retry-After, rounded up`(reason: RefusalReason) {
        for (duration, seconds) in [(Duration.zero, "1"), (.milliseconds(1001), "2"), (.seconds(7), "7")] {
            let refusal = Refusal(reason, "later", challenge: challenge, retryAfter: duration)
            #expect(refusal.status == 503)
            #expect(refusal.headers.first { $0.name == "Retry-After" }?.value == seconds)
            #expect(refusal.wwwAuthenticate == nil)
        }
    }

    @Test(arguments: ["\"", "\\", "\r\nX: y", "\u{0}", "é", "a\", error=\"x", "\u{2028}"])
    func `B18 nothing can end the quoted string or the line`(text: String) {
        let refusal = Refusal(.expired, text, challenge: Challenge(realm: text, metadataURL: text))
        let value = refusal.wwwAuthenticate ?? ""
        #expect(value.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\\") })
        #expect(value.utf8.count { $0 == UInt8(ascii: "\"") } == 8)
    }

    @Test func `every refusal says that it is JSON and not to be stored`() {
        for reason in RefusalReason.allCases {
            let headers = refusal(reason).headers
            #expect(headers.contains(HeaderField(name: "Content-Type", value: "application/json")))
            #expect(headers.contains(HeaderField(name: "Cache-Control", value: "no-store")))
        }
    }

    @Test func `a reason in a text is the word that logs and metrics have`() {
        #expect("\(RefusalReason.wrongAudience)" == "wrong_audience")
        #expect(RefusalReason.allCases.allSatisfy { "\($0)" == $0.rawValue })
    }

    @Test func `one key is one key`() {
        #expect(LogEvent.keysFetched(count: 1).description == "fetched 1 key of the issuer")
        #expect(LogEvent.keysFetched(count: 2).description == "fetched 2 keys of the issuer")
    }

    private func members(_ refusal: Refusal) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(refusal.body)) as? [String: Any])
    }
}
