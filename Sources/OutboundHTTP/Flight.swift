internal import Synchronization

/// A piece of work that many wait for. It goes on when one who waits is cancelled, and it alone decides when it
/// ends, so the work must have a deadline.
package final class Flight<Value: Sendable>: Sendable {
    private enum State {
        case underWay([Int: CheckedContinuation<Value?, Never>], next: Int)
        case landed(Value)
    }

    private let state = Mutex<State>(.underWay([:], next: 0))

    /// Work that has yet to land.
    package init() {}

    /// Waits for the value; nil when the caller's task is cancelled first.
    package func value() async -> Value? {
        let number = state.withLock { state -> Int in
            guard case .underWay(let waiting, let next) = state else { return 0 }
            state = .underWay(waiting, next: next + 1)
            return next
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in enter(number, continuation) }
        } onCancel: {
            leave(number)
        }
    }

    /// Hands the value to all who wait and will wait. The first landing counts.
    package func land(_ value: Value) {
        let waiting = state.withLock { state -> [Int: CheckedContinuation<Value?, Never>] in
            guard case .underWay(let waiting, _) = state else { return [:] }
            state = .landed(value)
            return waiting
        }
        for continuation in waiting.values { continuation.resume(returning: value) }
    }

    private func enter(_ number: Int, _ continuation: CheckedContinuation<Value?, Never>) {
        let outcome = state.withLock { state -> Value?? in
            switch state {
            case .landed(let value): return .some(value)
            case .underWay where Task.isCancelled: return .some(nil)
            case .underWay(var waiting, let next):
                waiting[number] = continuation
                state = .underWay(waiting, next: next)
                return .none
            }
        }
        if case .some(let value) = outcome { continuation.resume(returning: value) }
    }

    private func leave(_ number: Int) {
        let continuation = state.withLock { state -> CheckedContinuation<Value?, Never>? in
            guard case .underWay(var waiting, let next) = state else { return nil }
            let found = waiting.removeValue(forKey: number)
            state = .underWay(waiting, next: next)
            return found
        }
        continuation?.resume(returning: nil)
    }
}
