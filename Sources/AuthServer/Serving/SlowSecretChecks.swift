import AuthStore
import EventLoop
import Synchronization

/// A thread for scrypt, with a bounded queue: brought secrets are checked there and not on an event loop.
final class SlowSecretChecks: Sendable {
    /// How many checks may wait; some 40 ms each.
    static let maximumWaiting = 64

    private let thread: EventLoop.Running
    private let waiting = Atomic<Int>(0)

    /// Starts the thread.
    init() throws(EventLoopError) {
        thread = try EventLoop.start(name: "scrypt")
    }

    /// Runs a check.
    /// - Returns: nil when too many wait already.
    func run(_ check: SlowSecretCheck) async -> SlowSecretCheck.Answer? {
        guard waiting.add(1, ordering: .relaxed).newValue <= Self.maximumWaiting else {
            waiting.subtract(1, ordering: .relaxed)
            return nil
        }
        let answer = await Task(executorPreference: thread.loop) { check.run() }.value
        waiting.subtract(1, ordering: .relaxed)
        return answer
    }

    /// Ends the thread; blocks until it has.
    func stop() {
        thread.loop.stop()
        thread.join()
    }
}
