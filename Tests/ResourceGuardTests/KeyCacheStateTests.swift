import Testing

@testable import ResourceGuard

/// The key cache's decisions, by a clock that stands; the keys are plain sets of names.
struct KeyCacheStateTests {
    private typealias State = KeyCacheState<Set<String>>
    private typealias Step = State.Step

    private let start = ContinuousClock.now
    private func at(_ second: Double) -> ContinuousClock.Instant { start + .seconds(second) }

    private func need(_ state: inout State, _ key: String, _ second: Double, hasWaited: Bool = false) -> Step
    {
        state.need(now: at(second), hasWaited: hasWaited) { $0.contains(key) }
    }

    /// A cache that fetched the key `a` at second 0, to be fresh for 100 seconds.
    private func holdingA() -> State {
        var state = State()
        _ = need(&state, "a", 0)
        state.fetched(["a"], age: .seconds(100), now: at(0))
        return state
    }

    @Test func `the first request starts a fetch and all wait for that one`() {
        var state = State()
        #expect(need(&state, "a", 0) == Step(decision: .wait, startsFetch: true))
        #expect(need(&state, "b", 0) == Step(decision: .wait, startsFetch: false))
        state.fetched(["a"], age: nil, now: at(1))
        #expect(need(&state, "a", 1, hasWaited: true) == Step(decision: .use(["a"])))
        #expect(need(&state, "b", 1, hasWaited: true) == Step(decision: .unknownKey))
    }

    @Test func `fresh keys cause nothing; near their end the next request starts a refresh and goes on`() {
        var state = holdingA()
        #expect(need(&state, "a", 79.9) == Step(decision: .use(["a"])))
        #expect(need(&state, "a", 80) == Step(decision: .use(["a"]), startsFetch: true))
        #expect(need(&state, "a", 81) == Step(decision: .use(["a"])))
        state.fetched(["a"], age: .seconds(100), now: at(82))
        #expect(need(&state, "a", 161) == Step(decision: .use(["a"])))
    }

    @Test func `keys are taken without a decision for as long as they are fresh, and no longer`() {
        var state = State()
        #expect(state.fresh(now: at(0)) == nil)
        state = holdingA()
        for second in [0, 40, 79.9] as [Double] { #expect(state.fresh(now: at(second)) == ["a"]) }
        for second in [80, 100, 1_000_000] as [Double] { #expect(state.fresh(now: at(second)) == nil) }
        state.fetched([], age: .seconds(100), now: at(90))
        #expect(state.fresh(now: at(91)) == [])
    }

    @Test func `times without end are long ones`() {
        var configuration = ResourceGuard.Configuration()
        configuration.keyStaleness = .seconds(Int64.max)
        configuration.keyCooldown = .seconds(Int64.max)
        var state = State(policy: KeyCachePolicy(configuration))
        _ = need(&state, "a", 0)
        state.fetched(["a"], age: .seconds(100), now: at(0))
        for _ in 0..<3 {
            _ = need(&state, "a", 200)
            state.failed(now: at(200), jitter: 0)
        }
        #expect(need(&state, "a", 1_000_000).decision == .use(["a"]))
        #expect(state.quietUntil.map(GuardClock.ticks(of:)) != nil)
    }

    @Test func `the quick clock and the steady clock are one clock`() {
        let clock = GuardClock()
        for _ in 0..<1000 {
            let (before, quick, after) = (clock.now(), clock.ticks(), clock.now())
            // Each is cut to whole milliseconds.
            #expect((GuardClock.ticks(of: before) - 1...GuardClock.ticks(of: after) + 1).contains(quick))
        }
    }

    @Test func `keys past their age wait for one fetch`() {
        var state = holdingA()
        #expect(need(&state, "a", 100) == Step(decision: .wait, startsFetch: true))
        #expect(need(&state, "a", 100) == Step(decision: .wait, startsFetch: false))
    }

    @Test func `G13 keys past their age are used on while fetches fail, without a wait, up to the bound`() {
        var state = holdingA()
        _ = need(&state, "a", 100)
        state.failed(now: at(105), jitter: 0)
        #expect(need(&state, "a", 105, hasWaited: true) == Step(decision: .use(["a"])))
        #expect(need(&state, "a", 106) == Step(decision: .use(["a"]), startsFetch: true))
        #expect(need(&state, "a", 106) == Step(decision: .use(["a"])))
        state.failed(now: at(111), jitter: 0)
        #expect(need(&state, "a", 3600) == Step(decision: .use(["a"]), startsFetch: true))
        state.failed(now: at(3605), jitter: 0)
        let bound = 100.0 + 24 * 3600
        #expect(need(&state, "a", bound - 1).decision == .use(["a"]))
        state.failed(now: at(bound), jitter: 0)
        guard case .unavailable = need(&state, "a", bound).decision else { return #expect(Bool(false)) }
        #expect(state.revision == 2)
    }

    @Test func `G21 failed fetches are retried soon, at growing intervals, and mean 503, never 401`() {
        var state = State()
        _ = need(&state, "a", 0)
        var second = 0.0
        for wait in [0.5, 1, 2, 4, 8, 16, 30, 30] {
            state.failed(now: at(second), jitter: 0)
            let expected = State.Decision.unavailable(retryAfter: .seconds(wait))
            #expect(need(&state, "a", second, hasWaited: true) == Step(decision: expected))
            second += wait
            #expect(need(&state, "a", second) == Step(decision: .wait, startsFetch: true))
        }
        state.fetched(["a"], age: nil, now: at(second))
        #expect(need(&state, "a", second, hasWaited: true) == Step(decision: .use(["a"])))
    }

    @Test func `G21 while fetches fail an unknown key is 503 and a known one goes on`() {
        var state = holdingA()
        #expect(need(&state, "b", 1) == Step(decision: .wait, startsFetch: true))
        state.failed(now: at(2), jitter: 0)
        #expect(need(&state, "b", 2, hasWaited: true).decision == .unavailable(retryAfter: .seconds(0.5)))
        #expect(need(&state, "b", 4, hasWaited: true).decision == .unavailable(retryAfter: .seconds(1)))
        #expect(need(&state, "a", 2) == Step(decision: .use(["a"])))
        #expect(need(&state, "b", 2.5) == Step(decision: .wait, startsFetch: true))
    }

    @Test func `G12 unknown keys cause one fetch a cooldown, known ones go on`() {
        var state = holdingA()
        #expect(need(&state, "x0", 1) == Step(decision: .wait, startsFetch: true))
        for number in 1...1000 {
            #expect(need(&state, "x\(number)", 1) == Step(decision: .wait, startsFetch: false))
        }
        #expect(need(&state, "a", 1) == Step(decision: .use(["a"])))
        state.fetched(["a"], age: .seconds(100), now: at(1.5))
        for number in 0...1000 {
            #expect(need(&state, "x\(number)", 1.5, hasWaited: true) == Step(decision: .unknownKey))
            #expect(need(&state, "y\(number)", 10.9) == Step(decision: .unknownKey))
        }
        #expect(need(&state, "z", 11) == Step(decision: .wait, startsFetch: true))
    }

    @Test func `G15 a key that appears a second after a fetch is found at once`() {
        var state = holdingA()
        #expect(need(&state, "b", 1) == Step(decision: .wait, startsFetch: true))
        state.fetched(["a", "b"], age: .seconds(100), now: at(1))
        #expect(need(&state, "b", 1, hasWaited: true) == Step(decision: .use(["a", "b"])))
        #expect(need(&state, "a", 1) == Step(decision: .use(["a", "b"])))
    }

    @Test func `G20 a withdrawn key is not trusted after the next refresh`() {
        var state = holdingA()
        #expect(state.revision == 1)
        _ = need(&state, "a", 80)
        state.fetched(["b"], age: .seconds(100), now: at(81))
        #expect(state.revision == 2)
        #expect(need(&state, "a", 81).decision == .wait)
        state.fetched(["b"], age: .seconds(100), now: at(82))
        #expect(state.revision == 2)
        #expect(need(&state, "a", 82, hasWaited: true) == Step(decision: .unknownKey))
    }

    @Test func `who need not ask is told until when`() {
        var state = State()
        #expect(state.quietUntil == nil)
        state = holdingA()
        #expect(state.quietUntil == at(80))
        _ = need(&state, "a", 80)
        #expect(state.quietUntil == at(100))
        state.failed(now: at(85), jitter: 0)
        #expect(state.quietUntil == at(85.5))
        _ = need(&state, "a", 85.5)
        #expect(state.quietUntil == at(100 + 24 * 3600))
    }
}
