internal import Synchronization

/// One exchange and who waits for it. It is finished once, by whoever comes first: the answer, a failure, the deadline
/// or a cancellation.
final class Transfer: Sendable {
    typealias Outcome = Result<TransferAnswer, TransferError>
    typealias Continuation = CheckedContinuation<Outcome, Never>

    private enum State {
        case new
        case underWay(Continuation)
        case finished(Outcome)

        var isFinished: Bool {
            if case .finished = self { true } else { false }
        }
    }

    let request: TransferRequest
    let client: TransferClient
    private let state = Mutex(State.new)

    init(_ request: TransferRequest, client: TransferClient) {
        self.request = request
        self.client = client
    }

    /// Begins; false, and answered, when it is finished already.
    func begin(_ continuation: Continuation) -> Bool {
        let early = state.withLock { state -> Outcome? in
            if case .finished(let outcome) = state { return outcome }
            state = .underWay(continuation)
            return nil
        }
        guard let early else { return true }
        continuation.resume(returning: early)
        return false
    }

    /// Finishes; false when it was finished already.
    @discardableResult
    func finish(_ outcome: Outcome) -> Bool {
        let before = state.withLock { state in
            defer { if !state.isFinished { state = .finished(outcome) } }
            return state
        }
        if case .underWay(let continuation) = before { continuation.resume(returning: outcome) }
        return !before.isFinished
    }

    /// Whether nobody waits for it any more.
    var isFinished: Bool { state.withLock { $0.isFinished } }
}
