/// The answers that are remembered, by the token's digest. Bounded by two halves: when the younger is full it
/// becomes the older, and the older is forgotten. Pure.
struct IntrospectionMemory: Sendable {
    private struct Answer {
        let isActive: Bool
        let until: ContinuousClock.Instant
    }

    private let lifetime: Duration
    private let halfCapacity: Int
    private var young: [[UInt8]: Answer] = [:]
    private var old: [[UInt8]: Answer] = [:]

    init(lifetime: Duration, capacity: Int = 10_000) {
        self.lifetime = lifetime
        halfCapacity = max(1, capacity / 2)
    }

    /// How many are held.
    var count: Int { young.count + old.count }

    /// What was answered not longer than the lifetime ago.
    func answer(for digest: [UInt8], now: ContinuousClock.Instant) -> Bool? {
        guard let answer = young[digest] ?? old[digest], now < answer.until else { return nil }
        return answer.isActive
    }

    /// Remembers an answer.
    /// - Parameter now: when it was asked for.
    mutating func remember(_ isActive: Bool, for digest: [UInt8], now: ContinuousClock.Instant) {
        if young.count >= halfCapacity {
            old = young
            young = [:]
        }
        young[digest] = Answer(isActive: isActive, until: now + lifetime)
    }
}
