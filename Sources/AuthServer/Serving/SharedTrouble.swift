import Synchronization

/// A trouble that each thread meets by itself, said once for all of them: when the first meets it, when it has another
/// reason, and when the last is rid of it.
final class SharedTrouble: Sendable {
    private struct State {
        var threads: Set<Int> = []
        var reasons: Set<String> = []
    }

    /// How many reasons are said until it ends.
    private static let maximumReasons = 16

    private let state = Mutex(State())

    /// Takes note that a thread has met it.
    /// - Returns: whether that is to be said.
    func begin(on thread: Int, because reason: String) -> Bool {
        state.withLock { state in
            state.threads.insert(thread)
            return state.reasons.count < Self.maximumReasons && state.reasons.insert(reason).inserted
        }
    }

    /// Takes note that a thread is rid of it.
    /// - Returns: whether that is to be said: all are.
    func end(on thread: Int) -> Bool {
        state.withLock { state in
            guard state.threads.remove(thread) != nil, state.threads.isEmpty else { return false }
            state.reasons = []
            return true
        }
    }
}
