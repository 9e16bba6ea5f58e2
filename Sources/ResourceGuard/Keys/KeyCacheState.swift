internal import OutboundHTTP

/// Which keys are trusted now, and when to fetch them: every decision of the key cache, and no I/O.
///
/// Keys are used while they are fresh. Shortly before their max-age ends, the next request starts a refresh and
/// goes on with them. Past their age one fetch is waited for; if it fails they are used on while retries run in
/// the background, until the bound on staleness. A key that nobody published causes one fetch a cooldown.
struct KeyCacheState<Keys: Sendable & Equatable>: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// What a request shall do.
    enum Decision: Equatable {
        /// Use these.
        case use(Keys)
        /// Wait for the fetch under way, then ask again with `hasWaited`.
        case wait
        /// The issuer publishes no such key.
        case unknownKey
        /// There are no keys, or none that could tell; come back later.
        case unavailable(retryAfter: Duration)
    }

    /// A decision, and whether the caller must start a fetch.
    struct Step: Equatable {
        let decision: Decision
        var startsFetch = false
    }

    private struct Held {
        let keys: Keys
        let refreshAt: Instant
        let expiresAt: Instant
        let trustedUntil: Instant
    }

    private let policy: KeyCachePolicy
    private var held: Held?
    private var isFetching = false
    private var failures = 0
    private var retryAt: Instant?
    private var cooldownUntil: Instant?

    /// Grows whenever the trusted keys become others: what was verified before must be verified again.
    private(set) var revision = 0

    init(policy: KeyCachePolicy = KeyCachePolicy()) { self.policy = policy }

    /// Decides for a request that needs a key.
    /// - Parameters:
    ///   - isKnown: whether the keys hold the one needed.
    ///   - hasWaited: whether this request waited for a fetch already; it does not wait twice.
    mutating func need(now: Instant, hasWaited: Bool = false, isKnown: (Keys) -> Bool) -> Step {
        endTrust(now)
        guard let held else { return needFirstKeys(now, hasWaited) }
        return isKnown(held.keys)
            ? needKnownKey(held, now, hasWaited) : needUnknownKey(now, hasWaited)
    }

    /// The keys while they are fresh: until then nothing has to be decided.
    func fresh(now: Instant) -> Keys? {
        guard let held, now < held.refreshAt else { return nil }
        return held.keys
    }

    /// Takes fetched keys, and the age that the server gives them.
    mutating func fetched(_ keys: Keys, age: Duration?, now: Instant) {
        let age = policy.bounded(age)
        if held?.keys != keys { revision += 1 }
        held = Held(
            keys: keys, refreshAt: now + age * 0.8, expiresAt: now + age,
            trustedUntil: now + age + policy.staleness)
        isFetching = false
        failures = 0
        retryAt = nil
    }

    /// Takes note of a fetch that gave no keys. What is held stays.
    /// - Parameter jitter: a random number in 0..<1.
    mutating func failed(now: Instant, jitter: Double) {
        isFetching = false
        failures += 1
        retryAt = now + policy.backoff.delay(afterFailures: failures, jitter: jitter)
    }

    /// Until when a request whose key is known need not ask: nil when it must ask now.
    var quietUntil: Instant? {
        guard let held else { return nil }
        if isFetching { return failures == 0 ? held.expiresAt : held.trustedUntil }
        return min(max(held.refreshAt, retryAt ?? held.refreshAt), held.trustedUntil)
    }

    /// Drops keys that were stale for too long.
    private mutating func endTrust(_ now: Instant) {
        guard let held, now >= held.trustedUntil else { return }
        self.held = nil
        revision += 1
    }

    private mutating func needFirstKeys(_ now: Instant, _ hasWaited: Bool) -> Step {
        if let wait = waitUntilRetry(now) { return Step(decision: .unavailable(retryAfter: wait)) }
        guard !hasWaited else { return Step(decision: .unavailable(retryAfter: .seconds(1))) }
        return Step(decision: .wait, startsFetch: startFetch())
    }

    private mutating func needKnownKey(_ held: Held, _ now: Instant, _ hasWaited: Bool) -> Step {
        guard now >= held.refreshAt, waitUntilRetry(now) == nil else {
            return Step(decision: .use(held.keys))
        }
        let mustWait = now >= held.expiresAt && failures == 0 && !hasWaited
        return Step(decision: mustWait ? .wait : .use(held.keys), startsFetch: startFetch())
    }

    /// While fetches fail nobody knows whether the key is published: that is 503, never 401.
    private mutating func needUnknownKey(_ now: Instant, _ hasWaited: Bool) -> Step {
        if let wait = waitUntilRetry(now) { return Step(decision: .unavailable(retryAfter: wait)) }
        if hasWaited {
            return Step(decision: failures == 0 ? .unknownKey : .unavailable(retryAfter: .seconds(1)))
        }
        if isFetching { return Step(decision: .wait) }
        if let cooldownUntil, now < cooldownUntil, failures == 0 { return Step(decision: .unknownKey) }
        cooldownUntil = now + policy.cooldown
        return Step(decision: .wait, startsFetch: startFetch())
    }

    private func waitUntilRetry(_ now: Instant) -> Duration? {
        guard !isFetching, let retryAt, now < retryAt else { return nil }
        return retryAt - now
    }

    private mutating func startFetch() -> Bool {
        guard !isFetching else { return false }
        isFetching = true
        return true
    }
}
