import AuthStore

/// How many failures may come in a minute: a bucket that each one adds to, and that time empties.
///
/// The level is a time: how long the bucket takes to drain. So a bucket that nobody adds to is empty by itself,
/// nothing has to be reset, and one number holds all there is to know.
struct LeakyBucket: Sendable, Hashable {
    /// A full bucket drains in a minute.
    static let capacity: Milliseconds = 60_000

    /// What is counted above a full bucket: attempts that were let in at the same moment by several threads or
    /// servers. Each pushes the next one back for all of them, so that ten servers let in no more than one does.
    /// It is the longest that anybody waits: attempts that are refused add nothing.
    static let maximumLevel = 2 * capacity

    /// What one failure adds.
    let cost: Milliseconds

    /// A bucket that holds as many failures, and loses as many in a minute.
    init(failuresPerMinute: Int) {
        cost = Self.capacity / Milliseconds(max(1, failuresPerMinute))
    }

    /// How long until there is room for one more failure; 0 when there is.
    func wait(atLevel level: Milliseconds) -> Milliseconds {
        max(0, level + cost - Self.capacity)
    }
}
