import OAuth
import Testing

@testable import TokenClient

struct TokenStateTests {
    private let start = ContinuousClock.now
    private let outage = TokenClientError.Reason.unavailable(reason: "down", retryAfter: nil)

    private func response(_ value: String, lifetime: Duration = .seconds(3600)) throws -> TokenResponse {
        let seconds = lifetime.components.seconds
        let body = #"{"access_token":"\#(value)","token_type":"Bearer","expires_in":\#(seconds)}"#
        return try TokenResponse(Array(body.utf8), requested: ["read"])
    }

    private func holding(_ value: String, lifetime: Duration = .seconds(3600)) throws -> TokenState {
        var state = TokenState()
        _ = state.need(now: start)
        state.obtained(try response(value, lifetime: lifetime), requestedAt: start)
        return state
    }

    @Test func `the first caller starts the request and the others wait for it`() {
        var state = TokenState()
        #expect(state.need(now: start) == .init(decision: .wait, startsRequest: true))
        #expect(state.need(now: start) == .init(decision: .wait, startsRequest: false))
    }

    @Test(arguments: [
        (0, "a", false), (2879, "a", false), (2880, "a", true), (3589, "a", true), (3590, nil, true),
        (100_000, nil, true),
    ])
    func `a token is used, then renewed while it is used, then waited for`(
        second: Int, used: String?, starts: Bool
    ) throws {
        var state = try holding("a")
        let step = state.need(now: start + .seconds(second))
        if case .use(let token) = step.decision {
            #expect(token.value == used)
        } else {
            #expect(used == nil && step.decision == .wait)
        }
        #expect(step.startsRequest == starts)
    }

    /// `exp` is a whole second (RFC 7519 §2): a token that lives `expires_in` seconds by its answer may end almost a
    /// second earlier.
    @Test(arguments: [1, 2, 3, 5, 9, 10, 11, 60, 100, 3600])
    func `a token is not used in the second in which it may have ended, and is renewed before`(lifetime: Int)
        throws
    {
        let state = try holding("a", lifetime: .seconds(lifetime))
        func step(_ milliseconds: Int) -> TokenState.Step {
            var state = state
            return state.need(now: start + .milliseconds(milliseconds))
        }
        let last = (lifetime - 1) * 1000
        #expect(step(last) == .init(decision: .wait, startsRequest: true))
        guard lifetime > 1 else { return }
        #expect(step(0) == .init(decision: .use(try response("a").token)))
        let firstRenewal = try #require((0..<last).first { step($0).startsRequest })
        #expect(step(firstRenewal).decision == .use(try response("a").token))
    }

    @Test func `one renewal is under way however many use the old token`() throws {
        var state = try holding("a")
        let due = start + .seconds(3000)
        #expect(state.need(now: due).startsRequest)
        #expect(!state.need(now: due).startsRequest)
        state.obtained(try response("b"), requestedAt: due)
        guard case .use(let token) = state.need(now: due).decision else { return #expect(Bool(false)) }
        #expect(token.value == "b")
    }

    @Test func `a failed renewal leaves the old token in use and is tried again a second later`() throws {
        var state = try holding("a")
        let due = start + .seconds(3000)
        _ = state.need(now: due)
        state.failed(outage, now: due)
        #expect(!state.need(now: due).startsRequest)
        #expect(state.need(now: due + .seconds(1)).startsRequest)
    }

    @Test(arguments: [(nil, 1), (0, 1), (5, 5), (3600, 10)])
    func `a failure is remembered for as long as the server asks, ten seconds at most`(
        retryAfter: Int?, seconds: Int
    ) {
        var state = TokenState()
        _ = state.need(now: start)
        let error = TokenClientError.Reason.unavailable(
            reason: "down", retryAfter: retryAfter.map { .seconds($0) })
        state.failed(error, now: start)
        #expect(state.need(now: start + .seconds(seconds) - .milliseconds(1)).decision == .fail(error))
        #expect(state.need(now: start + .seconds(seconds)) == .init(decision: .wait, startsRequest: true))
    }

    @Test func `an expired token is not used however long the server is down`() throws {
        var state = try holding("a", lifetime: .seconds(10))
        _ = state.need(now: start + .seconds(9))
        state.failed(outage, now: start + .seconds(9))
        #expect(state.need(now: start + .seconds(9)).decision == .fail(outage))
    }

    @Test func `a token without lifetime is never used twice`() throws {
        var state = try holding("a", lifetime: .zero)
        #expect(state.need(now: start) == .init(decision: .wait, startsRequest: true))
    }

    @Test func `an invalidated token is not used again, a newer one stays`() throws {
        var state = try holding("a")
        let old = try response("a").token
        state.invalidate(try response("other").token, now: start)
        #expect(state.need(now: start).decision == .use(old))
        state.invalidate(old, now: start)
        #expect(state.need(now: start) == .init(decision: .wait, startsRequest: true))
        state.obtained(try response("b"), requestedAt: start)
        state.invalidate(old, now: start)
        #expect(state.need(now: start).decision == .use(try response("b").token))
    }

    @Test func `a service that refuses each token has one asked for in a second`() throws {
        var state = TokenState()
        var requests = 0
        for millisecond in 0..<10_000 {
            let now = start + .milliseconds(millisecond)
            let step = state.need(now: now)
            if step.startsRequest {
                requests += 1
                state.obtained(try response("t\(requests)"), requestedAt: now)
            }
            let token = try response("t\(requests)").token
            for _ in 1...3 { state.invalidate(token, now: now) }
        }
        // The first is replaced at once, each after it a second after the one before.
        #expect(requests == 11)
    }
}
