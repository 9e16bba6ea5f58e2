import LocalServer
import OAuth
import Synchronization
import Testing

@testable import ResourceGuard

struct TokenCheckTests {
    /// A check that answers what the test says, and counts.
    private final class FakeCheck: TokenCheck {
        let answer: Mutex<Result<Bool, TokenCheckError>>
        private let asked = Mutex<[String]>([])

        var questions: [String] { asked.withLock { $0 } }

        init(_ answer: Result<Bool, TokenCheckError>) { self.answer = Mutex(answer) }

        func isActive(
            tokenID: TokenID, clientID: ClientID, token: [UInt8]
        ) async throws(TokenCheckError) -> Bool {
            asked.withLock { $0.append("\(tokenID) \(clientID) \(token.count)") }
            return try answer.withLock { $0 }.get()
        }
    }

    @Test func `R4 the check is asked at each request, also for a remembered token`() async throws {
        let issuer = try TestIssuer()
        let check = FakeCheck(.success(true))
        let resourceGuard = try bookGuard(.jwks(issuer.keySet), check: check)
        let token = try issuer.token()
        #expect(await reason(resourceGuard, token) == nil)
        #expect(await reason(resourceGuard, token) == nil)
        check.answer.withLock { $0 = .success(false) }
        #expect(await reason(resourceGuard, token) == .revoked)
        let line = "AAAAAAAAAAAAAAAAAAAAAA gateway \(token.utf8.count)"
        #expect(check.questions == [line, line, line])
    }

    @Test func `an inactive token is not called revoked for sure, and the log says what else to look at`()
        async throws
    {
        let issuer = try TestIssuer()
        let resourceGuard = try bookGuard(.jwks(issuer.keySet), check: FakeCheck(.success(false)))
        let refusal = try #require(await refusal(resourceGuard, issuer.token()))
        #expect(refusal.reason == .revoked && refusal.status == 401)
        #expect(
            refusal.explanation.hasPrefix(
                "the token is not active: it was revoked, or is not in the token store"))
        #expect(refusal.description.contains("check the token store's URL, database and prefix"))
        #expect(
            refusal.logDetail.hasPrefix(#"client "gateway", jti "AAAAAAAAAAAAAAAAAAAAAA"; if it was not"#))
        #expect(refusal.clientID?.value == "gateway")
        #expect(isKept("prefix", from: refusal) && isKept("gateway", from: refusal))
    }

    @Test func `a token that introspection calls inactive: the log names the owner that is likely missing`()
        async throws
    {
        let issuer = try TestIssuer()
        let server = try LocalServer { _ in .json(#"{"active":false}"#) }
        let check = try IntrospectionCheck(
            endpoint: server.url + "/oauth/introspect", clientID: "bo\nok", clientSecret: "s",
            deadline: .seconds(10))
        let resourceGuard = try bookGuard(.jwks(issuer.keySet), check: check)
        let refusal = try #require(await refusal(resourceGuard, issuer.token()))
        #expect(refusal.reason == .revoked)
        let command = #"authserver resource set "RESOURCE_ID_BOOK" --owner "bo\nok""#
        #expect(refusal.logDetail.hasSuffix("must be the owner of the resource: " + command), "\(refusal)")
        #expect(!refusal.logDetail.contains("database"))
        #expect(isKept("owner", from: refusal))
    }

    @Test(
        arguments: [(0, .expired), (-4, .expired), (1, .revoked)] as [(Int64, RefusalReason)])
    func `a token that the store forgot because it expired is expired, whatever the leeway`(
        secondsLeft: Int64, expected: RefusalReason
    ) async throws {
        let issuer = try TestIssuer()
        let resourceGuard = try bookGuard(.jwks(issuer.keySet), check: FakeCheck(.success(false))) {
            $0.leeway = 5
        }
        let token = try issuer.token(["exp": "\(TestIssuer.now + secondsLeft)"])
        let refusal = try #require(await refusal(resourceGuard, token))
        #expect(refusal.reason == expected && refusal.clientID?.value == "gateway")
        #expect(refusal.logDetail.contains("this machine's clock says") == (expected == .expired))
    }

    @Test func `the check is asked only about tokens that are in order`() async throws {
        let issuer = try TestIssuer()
        let check = FakeCheck(.success(true))
        let resourceGuard = try bookGuard(.jwks(issuer.keySet), check: check)
        #expect(await reason(resourceGuard, try issuer.token(["exp": "1"])) == .expired)
        #expect(await reason(resourceGuard, try issuer.token(["aud": "\"x\""])) == .wrongAudience)
        #expect(await reason(resourceGuard, try TestIssuer().token()) == .unknownKey)
        #expect(check.questions.isEmpty)
    }

    @Test(arguments: [TokenCheckError.unavailable("down"), .timedOut, .overloaded, .cancelled])
    func `G18 without an answer the request is refused with 503`(error: TokenCheckError) async throws {
        let issuer = try TestIssuer()
        let events = Events()
        let resourceGuard = try bookGuard(.jwks(issuer.keySet), check: FakeCheck(.failure(error))) {
            $0.log = events.log
        }
        let token = try issuer.token()
        let refusal = await #expect(throws: Refusal.self) {
            try await resourceGuard.authorize("Bearer \(token)")
        }
        #expect(refusal?.reason == .checkUnavailable && refusal?.status == 503 && refusal?.retryAfter == 1)
        #expect(refusal?.clientID?.value == "gateway")
        #expect(refusal?.logDetail.hasSuffix("; \(error)") == true)
        #expect(events.all.contains(.checkFailed(reason: error, isLetThrough: false)))
    }

    @Test func `G18 a service may choose to let it through, and the log says so`() async throws {
        let issuer = try TestIssuer()
        let events = Events()
        let resourceGuard = try bookGuard(.jwks(issuer.keySet), check: FakeCheck(.failure(.timedOut))) {
            $0.checkOutage = .letThrough
            $0.log = events.log
        }
        #expect(await reason(resourceGuard, try issuer.token()) == nil)
        #expect(await reason(resourceGuard, try issuer.token(["exp": "1"])) == .expired)
        #expect(events.all.contains(.checkFailed(reason: .timedOut, isLetThrough: true)))
    }

    @Test func `whoever ends its own request is not let through for it, also where an outage is`()
        async throws
    {
        let issuer = try TestIssuer()
        let events = Events()
        let server = try LocalServer { _ in .silence }
        let check = try IntrospectionCheck(
            endpoint: server.url + "/oauth/introspect", clientID: "book", clientSecret: "s",
            deadline: .seconds(10))
        let resourceGuard = try bookGuard(.jwks(issuer.keySet), check: check) {
            $0.checkOutage = .letThrough
            $0.log = events.log
        }
        let token = try issuer.token()
        let request = Task { await reason(resourceGuard, token) }
        #expect(await eventually { server.requests.count == 1 })
        request.cancel()
        #expect(await request.value == .checkUnavailable)
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await reason(resourceGuard, token)
        }
        #expect(await early.value == .checkUnavailable)
        let line = LogEvent.checkFailed(reason: .cancelled, isLetThrough: false)
        #expect(events.all.count { $0 == line } == 2)
    }
}
