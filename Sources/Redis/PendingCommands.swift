/// Commands in the order in which they were asked for: first those that were sent, then those that were not.
///
/// Every continuation is resumed exactly once: by its reply, or with all others when the connection is lost.
struct PendingCommands {
    typealias Continuation = UnsafeContinuation<Result<RedisReply, RedisError>, Never>

    private struct Entry {
        let deadline: Int64
        let continuation: Continuation
        var command: RedisCommand?
    }

    private var entries: [Entry?] = Array(repeating: nil, count: 64)
    private var first = 0
    private var sent = 0
    private(set) var count = 0

    /// When the oldest must have been answered.
    var firstDeadline: Int64? { count > 0 ? entries[first]?.deadline : nil }

    mutating func append(_ command: RedisCommand, deadline: Int64, _ continuation: Continuation) {
        if count == entries.count { grow() }
        entries[(first + count) & (entries.count - 1)] = Entry(
            deadline: deadline, continuation: continuation, command: command)
        count += 1
    }

    /// The next command that was not sent yet; nil when all were.
    mutating func nextToSend() -> RedisCommand? {
        guard sent < count else { return nil }
        let index = (first + sent) & (entries.count - 1)
        sent += 1
        defer { entries[index]?.command = nil }
        return entries[index]?.command
    }

    /// Gives the oldest command its reply; false when none was sent.
    mutating func finishFirst(_ reply: RedisReply) -> Bool {
        guard sent > 0, let entry = entries[first] else { return false }
        entries[first] = nil
        first = (first + 1) & (entries.count - 1)
        sent -= 1
        count -= 1
        entry.continuation.resume(returning: .success(reply))
        return true
    }

    /// Fails all.
    mutating func failAll(_ error: RedisError) {
        let failed = (0..<count).map { entries[(first + $0) & (entries.count - 1)] }
        self = PendingCommands()
        for entry in failed { entry?.continuation.resume(returning: .failure(error)) }
    }

    private mutating func grow() {
        let ordered = (0..<count).map { entries[(first + $0) & (entries.count - 1)] }
        entries = ordered + Array(repeating: nil, count: entries.count)
        first = 0
    }
}
