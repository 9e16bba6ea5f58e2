internal import Synchronization

/// Requests over HTTP/1.1: no cookies, no cache, no redirects, any status is an answer.
///
/// All clients share one thread and the connections that it keeps; a connection is for those alone that trust the same
/// certificates.
package final class TransferClient: Sendable {
    let maximumConnections: Int
    private let maximumPending: Int
    private let pending = Mutex(0)

    /// A client with its bounds.
    /// - Parameters:
    ///   - maximumConnections: how many requests are with servers at a time; further ones wait.
    ///   - maximumPending: how many requests may be under way or wait; more are `.overloaded`.
    package init(maximumConnections: Int, maximumPending: Int) {
        self.maximumConnections = maximumConnections
        self.maximumPending = maximumPending
    }

    /// Sends a request and waits for the whole answer.
    /// - Parameter deadline: for all of it, from looking the name up to the last byte.
    package func send(
        _ request: TransferRequest, deadline: Duration
    ) async throws(TransferError) -> TransferAnswer {
        guard takePlace() else { throw .overloaded }
        defer { pending.withLock { $0 -= 1 } }
        let transfer = Transfer(request, client: self)
        // Not libcurl's timer: this one strikes also while libcurl's thread is held up.
        let timer = Task {
            try await Task.sleep(for: deadline)
            Self.abandon(transfer, .timedOut)
        }
        defer { timer.cancel() }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if transfer.begin(continuation) { Self.start(transfer) }
            }
        } onCancel: {
            Self.abandon(transfer, .cancelled)
        }
        return try outcome.get()
    }

    private func takePlace() -> Bool {
        pending.withLock { pending in
            guard pending < maximumPending else { return false }
            pending += 1
            return true
        }
    }

    private static func start(_ transfer: Transfer) {
        do throws(TransferError) {
            try TransferThread.running().start(transfer)
        } catch {
            transfer.finish(.failure(error))
        }
    }

    private static func abandon(_ transfer: Transfer, _ error: TransferError) {
        if transfer.finish(.failure(error)) { TransferThread.abandon(transfer) }
    }
}
