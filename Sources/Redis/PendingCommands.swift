/// The commands that wait for their replies, in the order in which they were sent: a ring that grows up to the
/// bound and is kept.
struct PendingCommands {
    /// A command that waits: whom to tell, and since when, in milliseconds of the loop's coarse clock.
    struct Entry {
        let waiter: UnsafeContinuation<Result<RedisReply, RedisError>, Never>
        let since: Int64
    }

    private var ring: [Entry?] = Array(repeating: nil, count: 64)
    private var head = 0
    private(set) var count = 0

    /// The one that has waited longest.
    var first: Entry? { ring[head] }

    mutating func append(_ entry: Entry) {
        if count == ring.count { grow() }
        ring[(head + count) & (ring.count - 1)] = entry
        count += 1
    }

    mutating func popFirst() -> Entry? {
        guard let entry = ring[head] else { return nil }
        ring[head] = nil
        head = (head + 1) & (ring.count - 1)
        count -= 1
        return entry
    }

    /// The capacity stays a power of two.
    private mutating func grow() {
        ring = ring[head...] + ring[..<head] + Array(repeating: nil, count: ring.count)
        head = 0
    }
}
