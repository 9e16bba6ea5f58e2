import EventLoop
import Glibc
import Synchronization

/// Runs `body` on a loop's thread and waits for what it gives.
func blocking<Value: Sendable>(on loop: EventLoop, _ body: @escaping @Sendable () throws -> Value) throws
    -> Value
{
    let outcome = Outcome<Value>()
    loop.execute { outcome.set(Result { try body() }) }
    while true {
        if let result = outcome.get() { return try result.get() }
        usleep(1000)
    }
}

private final class Outcome<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)
    func set(_ value: Result<Value, any Error>) { result.withLock { $0 = value } }
    func get() -> Result<Value, any Error>? { result.withLock { $0 } }
}
