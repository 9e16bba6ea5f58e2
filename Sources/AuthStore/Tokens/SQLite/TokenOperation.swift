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
    private let waiter: Mutex<CheckedContinuation<Outcome, Never>?>

    init(
        _ operation: TokenOperation, deadline: ContinuousClock.Instant,
        waiter: CheckedContinuation<Outcome, Never>
    ) {
        self.operation = operation
        self.deadline = deadline
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
