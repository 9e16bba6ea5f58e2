internal import Synchronization

/// The requests that wait for the writer's next commit, and those of the present one: bounded, in order of arrival
/// and so of deadline.
final class TokenQueue: Sendable {
    /// What became of a request that was offered.
    enum Admission {
        /// It waits; the writer must be woken.
        case first
        /// It waits, and the writer is awake.
        case queued
        /// Too many wait.
        case full
        /// The store was closed.
        case closed
    }

    private struct State {
        var waiting: [TokenRequest] = []
        var group: [TokenRequest] = []
        var isWriterAwake = false
        var isClosed = false
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) {
        self.capacity = capacity
    }

    func add(_ request: TokenRequest) -> Admission {
        state.withLock { state in
            if state.isClosed { return .closed }
            if state.waiting.count >= capacity { return .full }
            state.waiting.append(request)
            defer { state.isWriterAwake = true }
            return state.isWriterAwake ? .queued : .first
        }
    }

    /// The next group, of requests that somebody still waits for. When it is empty nothing waits, and the next
    /// request wakes the writer.
    func takeGroup(limit: Int) -> [TokenRequest] {
        state.withLock { state in
            let count = min(limit, state.waiting.count)
            state.group = Array(state.waiting[..<count])
            state.waiting.removeFirst(count)
            state.isWriterAwake = count > 0
            return state.group
        }
    }

    /// How many wait for the next group.
    var count: Int { state.withLock { $0.waiting.count } }

    /// Whether nothing waits.
    var isEmpty: Bool { count == 0 }

    /// Answers those whose deadline has passed, also in the group that is being committed: what becomes of them
    /// there is not known.
    func expire(at now: ContinuousClock.Instant) {
        let late = state.withLock { state in
            let late = state.waiting.prefix { $0.deadline <= now }
            state.waiting.removeFirst(late.count)
            return state.group.prefix { $0.deadline <= now } + late
        }
        for request in late { request.answer(.failure(.timedOut)) }
    }

    /// Takes no more requests; those that wait are still done.
    /// - Returns: whether it was open.
    func close() -> Bool {
        state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
    }
}
