internal import EventLoop
internal import OAuth
internal import Synchronization

/// A change that waits for the writer's next commit.
enum TokenOperation: Sendable {
    case record(StoredToken)
    case revoke(TokenID, expiringAt: Int64?)
    case revokeAll(client: ClientID, at: Milliseconds, keepUntil: Int64)
    /// Changes nothing, and succeeds when a commit does.
    case ping
}

/// An operation and who waits for it: answered once, by the writer or by the deadline, whichever is first.
final class TokenRequest: Sendable {
    typealias Outcome = Result<Void, TokenStoreError>

    let operation: TokenOperation
    let deadline: ContinuousClock.Instant
    /// The loop on whose thread it is answered; nil for any thread.
    let loop: EventLoop?
    private let waiter: Mutex<CheckedContinuation<Outcome, Never>?>

    init(
        _ operation: TokenOperation, deadline: ContinuousClock.Instant, loop: EventLoop? = nil,
        waiter: CheckedContinuation<Outcome, Never>
    ) {
        self.operation = operation
        self.deadline = deadline
        self.loop = loop
        self.waiter = Mutex(waiter)
    }

    /// Whether somebody still waits for the answer.
    var isAwaited: Bool { waiter.withLock { $0 != nil } }

    /// Answers, unless that was done.
    func answer(_ outcome: Outcome) {
        let waiter = waiter.withLock { waiter in
            defer { waiter = nil }
            return waiter
        }
        waiter?.resume(returning: outcome)
    }
}

extension [TokenRequest] {
    /// Answers all of them: those of one loop on its thread, which is woken once for all.
    func answer(_ outcome: TokenRequest.Outcome) {
        var rest = self[...]
        while let loop = rest.first.map(\.loop) {
            let part = rest.prefix { $0.loop === loop }
            rest = rest.dropFirst(part.count)
            let answer: @Sendable () -> Void = { for request in part { request.answer(outcome) } }
            if loop?.execute(answer) != true { answer() }
        }
    }
}
