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

    @Test func `the check is asked only about tokens that are in order`() async throws {
        let issuer = try TestIssuer()
        let check = FakeCheck(.success(true))
        let resourceGuard = try bookGuard(.jwks(issuer.keySet), check: check)
        #expect(await reason(resourceGuard, try issuer.token(["exp": "1"])) == .expired)
        #expect(await reason(resourceGuard, try issuer.token(["aud": "\"x\""])) == .wrongAudience)
        #expect(await reason(resourceGuard, try TestIssuer().token()) == .unknownKey)
        #expect(check.questions.isEmpty)
    }

    @Test(arguments: [TokenCheckError.unavailable("down"), .timedOut, .overloaded])
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
}
