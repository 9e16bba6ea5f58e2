import EventLoop
import TestSupport

@testable import Redis

/// Runs `body` on a loop with a connection, which is closed at the end.
func withConnection<Value: Sendable>(
    _ url: String, _ configure: @Sendable (inout RedisConfiguration) -> Void = { _ in },
    _ body: @escaping @Sendable (RedisConnection) async throws -> Value
) async throws -> Value {
    var configuration = try RedisConfiguration(url: url)
    // Long where the deadline is not what is tested: all tests of a run may compete for the processors.
    configuration.commandDeadline = .seconds(20)
    configure(&configuration)
    let copy = configuration
    return try await runOnLoop { loop in
        let connection = RedisConnection(loop: loop, configuration: copy)
        defer { connection.close() }
        return try await body(connection)
    }
}

extension RedisConnection {
    /// The error of a `PING`; nil when it is answered.
    func pingError() async -> RedisError? {
        do throws(RedisError) {
            _ = try await command(RedisCommand("PING"))
            return nil
        } catch { return error }
    }

    /// Waits until Redis answers.
    func untilReady() async throws {
        try await eventually("Redis answers") { await pingError() == nil }
    }

    /// The errors of many commands at once; nil for those that were answered.
    func pingErrors(_ count: Int) async -> [RedisError?] {
        await withTaskGroup(of: RedisError?.self) { group in
            for _ in 0..<count { group.addTask(executorPreference: self.loop) { await self.pingError() } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
}
