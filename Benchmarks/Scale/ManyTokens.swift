import AuthStore
import EventLoop
import OAuth
import Redis

/// A token store with many live tokens.
enum ManyTokens {
    /// How many are on their way at once.
    private static let concurrency = 512

    /// Records so many tokens in Redis as the server does, each of the lifetime of an hour.
    static func record(count: Int, url: String) async throws {
        let running = try EventLoop.start(name: "tokens")
        defer {
            running.loop.stop()
            running.join()
        }
        let connection = RedisConnection(loop: running.loop, configuration: try RedisConfiguration(url: url))
        let store = RedisTokenStore(connection, keys: TokenKeys())
        let client = try ClientID("gateway")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<concurrency {
                let share = count / concurrency + (number < count % concurrency ? 1 : 0)
                group.addTask(executorPreference: running.loop) {
                    for _ in 0..<share {
                        let moment = WallClock.now()
                        try await store.record(
                            StoredToken(
                                tokenID: try .random(), clientID: client, issuedAtMilliseconds: moment,
                                expiresAt: moment / 1000 + 3600))
                    }
                }
            }
            try await group.waitForAll()
        }
        connection.close()
    }
}
