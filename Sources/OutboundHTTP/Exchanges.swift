internal import Synchronization

/// The exchanges under way, by the session's task number. Each is finished once, by whoever comes first: the
/// whole answer, a failure, the deadline or a cancellation.
final class Exchanges: Sendable {
    typealias Outcome = Result<OutboundResponse, OutboundError>
    typealias Continuation = CheckedContinuation<Outcome, Never>

    private struct Exchange {
        let continuation: Continuation
        var body: [UInt8] = []
    }

    private let pending = Mutex<[Int: Exchange]>([:])
    private let maximumBytes: Int
    private let maximumPending: Int

    init(maximumBytes: Int, maximumPending: Int) {
        self.maximumBytes = maximumBytes
        self.maximumPending = maximumPending
    }

    /// Takes an exchange up; false, and finished as overloaded, when too many are under way.
    func begin(_ number: Int, _ continuation: Continuation) -> Bool {
        let isAccepted = pending.withLock { pending in
            guard pending.count < maximumPending else { return false }
            pending[number] = Exchange(continuation: continuation)
            return true
        }
        if !isAccepted { continuation.resume(returning: .failure(.overloaded)) }
        return isAccepted
    }

    /// Adds to a body; false, and finished, when it grows too long.
    func receive(_ number: Int, _ bytes: some Collection<UInt8>) -> Bool {
        let fits = pending.withLock { pending in
            guard let held = pending[number]?.body.count else { return true }
            guard held + bytes.count <= maximumBytes else { return false }
            pending[number]?.body.append(contentsOf: bytes)
            return true
        }
        if !fits { finish(number, .failure(.tooLarge)) }
        return fits
    }

    /// Finishes with the answer whose body was received.
    func complete(_ number: Int, status: Int, fields: [String: String]) {
        guard let exchange = take(number) else { return }
        exchange.continuation.resume(
            returning: .success(OutboundResponse(status: status, fields: fields, body: exchange.body)))
    }

    /// Finishes, unless it is finished already.
    func finish(_ number: Int, _ outcome: Outcome) {
        take(number)?.continuation.resume(returning: outcome)
    }

    private func take(_ number: Int) -> Exchange? {
        pending.withLock { $0.removeValue(forKey: number) }
    }
}
