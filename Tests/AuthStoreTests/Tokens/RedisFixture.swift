import AuthStore
import EventLoop
import OAuth
import Redis
import TestSupport

/// The store in a real Redis, used from its loop and from elsewhere.
final class RedisFixture: TokenStoreFixture {
    private let server: RedisServer
    private let thread: EventLoop.Running
    private let otherThread: EventLoop.Running
    let connection: RedisConnection
    let store: any TokenStore
    let other: any TokenStore

    /// Redis tells the time by the system's clock.
    var second: Int64 { WallClock.now() / 1000 }

    init(_ options: RedisServer.Options = .init()) async throws {
        server = try await RedisServer.start(options)
        var configuration = try RedisConfiguration(url: server.url)
        configuration.commandDeadline = .seconds(20)
        thread = try EventLoop.start(name: "redis-test")
        otherThread = try EventLoop.start(name: "redis-test")
        connection = RedisConnection(loop: thread.loop, configuration: configuration)
        let another = RedisConnection(loop: otherThread.loop, configuration: configuration)
        store = RedisTokenStore(connection, keys: TokenKeys())
        other = RedisTokenStore(another, keys: TokenKeys())
    }

    func elapse(_ seconds: Int64) async throws { try await Task.sleep(for: .seconds(seconds)) }

    func run(_ test: @escaping @Sendable () async throws -> Void) async throws {
        try await withTaskExecutorPreference(thread.loop) { try await test() }
    }

    func close() async {
        for thread in [thread, otherThread] {
            thread.loop.stop()
            thread.join()
        }
    }

    /// Makes a store, runs a test against it, and ends it.
    static func use(
        _ options: RedisServer.Options = .init(), _ test: (RedisFixture) async throws -> Void
    ) async throws {
        let fixture = try await RedisFixture(options)
        do { try await test(fixture) } catch {
            await fixture.close()
            throw error
        }
        await fixture.close()
    }
}
