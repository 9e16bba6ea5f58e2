public import EventLoop

/// Runs `body` as a task of a new event loop on a thread of its own; the loop has ended when this returns.
public func runOnLoop<Value: Sendable>(
    _ body: @escaping @Sendable (EventLoop) async throws -> Value
) async throws -> Value {
    let running = try EventLoop.start(name: "test")
    let task = Task(executorPreference: running.loop) { try await body(running.loop) }
    let result = await task.result
    running.loop.stop()
    running.join()
    return try result.get()
}
