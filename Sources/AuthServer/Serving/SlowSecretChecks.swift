import AuthStore
import EventLoop
import Synchronization

/// A thread for scrypt, with a bounded queue: brought secrets are checked there and not on an event loop.
final class SlowSecretChecks: Sendable {
    /// How many checks may wait; some 40 ms each.
    static let maximumWaiting = 64

    /// How many of one address: it cannot take all places from the others.
    static let maximumWaitingOfOneAddress = 32

    private let thread: EventLoop.Running
    private let waiting = Mutex<(all: Int, byAddress: [AddressGroup: Int])>((0, [:]))

    /// Starts the thread.
    init() throws(EventLoopError) {
        thread = try EventLoop.start(name: "scrypt")
    }

    /// Runs a check.
    /// - Returns: nil when too many wait already.
    func run(_ check: SlowSecretCheck, from address: AddressGroup) async -> SlowSecretCheck.Answer? {
        guard enter(address) else { return nil }
        let answer = await Task(executorPreference: thread.loop) { check.run() }.value
        leave(address)
        return answer
    }

    private func enter(_ address: AddressGroup) -> Bool {
        waiting.withLock { waiting in
            let own = waiting.byAddress[address, default: 0]
            guard waiting.all < Self.maximumWaiting, own < Self.maximumWaitingOfOneAddress else {
                return false
            }
            waiting.all += 1
            waiting.byAddress[address] = own + 1
            return true
        }
    }

    private func leave(_ address: AddressGroup) {
        waiting.withLock { waiting in
            waiting.all -= 1
            let left = waiting.byAddress[address, default: 1] - 1
            waiting.byAddress[address] = left > 0 ? left : nil
        }
    }

    /// Ends the thread; blocks until it has.
    func stop() {
        thread.loop.stop()
        thread.join()
    }
}
