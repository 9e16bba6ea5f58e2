internal import Synchronization

/// A piece of work that many wait for. It goes on when one who waits is cancelled, and it alone decides when it
/// ends, so the work must have a deadline.
package final class Flight<Value: Sendable>: Sendable {
    private struct State {
        /// Who waits, changed in place: with very many a copy for each would be the longest work of all.
        var waiting: [Int: CheckedContinuation<Value?, Never>] = [:]
        var next = 0
        var landed: Value?
    }

    private let state = Mutex(State())
    private let maximumWaiting: Int

    /// Work that has yet to land.
    /// - Parameter maximumWaiting: how many may wait at once.
    package init(maximumWaiting: Int = 10_000) { self.maximumWaiting = maximumWaiting }

    /// Waits for the value; nil when the caller's task is cancelled first, and at once where too many wait.
    package func value() async -> Value? {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in enter(number, continuation) }
        } onCancel: {
            leave(number)
        }
    }

    /// Hands the value to all who wait and will wait. The first landing counts.
    package func land(_ value: Value) {
        let waiting = state.withLock { state in
            guard state.landed == nil else { return [Int: CheckedContinuation<Value?, Never>]() }
            state.landed = value
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume(returning: value) }
    }

    private func enter(_ number: Int, _ continuation: CheckedContinuation<Value?, Never>) {
        let outcome = state.withLock { state -> Value?? in
            if let value = state.landed { return .some(value) }
            guard !Task.isCancelled, state.waiting.count < maximumWaiting else { return .some(nil) }
            state.waiting[number] = continuation
            return .none
        }
        if case .some(let value) = outcome { continuation.resume(returning: value) }
    }

    private func leave(_ number: Int) {
        state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: nil)
    }
}
