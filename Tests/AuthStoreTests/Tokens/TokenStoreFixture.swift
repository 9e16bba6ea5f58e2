import AuthStore
import EventLoop
import Synchronization
import TestSupport
import Testing

/// A store under test, with the means to let time pass.
protocol TokenStoreFixture: Sendable {
    /// The store.
    var store: any TokenStore { get }
    /// A second way to the same tokens, as another process or thread has it.
    var other: any TokenStore { get }
    /// The store's present second.
    var second: Int64 { get }
    /// Lets this many seconds pass for the store.
    func elapse(_ seconds: Int64) async throws
    /// Runs a test where the store may be used.
    func run(_ test: @escaping @Sendable () async throws -> Void) async throws
    /// Ends the store and what it needs.
    func close() async
}

/// The stores that the one suite is run against: a store is added here.
struct TokenStoreKind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable () async throws -> any TokenStoreFixture

    static let all = [
        TokenStoreKind(testDescription: "SQLite, on any executor") { try SQLiteFixture() },
        TokenStoreKind(testDescription: "SQLite, on an event loop") { try SQLiteLoopFixture() },
        TokenStoreKind(testDescription: "Redis") { try await RedisFixture() },
    ]

    /// Makes a store, runs a test against it, and ends it.
    func use(_ test: @escaping @Sendable (any TokenStoreFixture) async throws -> Void) async throws {
        let fixture = try await make()
        do {
            try await fixture.run { try await test(fixture) }
        } catch {
            await fixture.close()
            throw error
        }
        await fixture.close()
    }
}

/// A clock that stands still until it is moved.
final class TestClock: Sendable {
    private let milliseconds = Atomic<Int64>(1_767_225_600_000)

    var now: Milliseconds { milliseconds.load(ordering: .relaxed) }
    var second: Int64 { now / 1000 }

    func advance(seconds: Int64) {
        milliseconds.add(seconds * 1000, ordering: .relaxed)
    }
}

/// The SQLite store, read from any thread.
private final class SQLiteFixture: TokenStoreFixture {
    private let folder: TemporaryDirectory
    private let clock = TestClock()
    private let first: SQLiteTokenStore
    private let another: SQLiteTokenStore

    var store: any TokenStore { first }
    var other: any TokenStore { another }
    var second: Int64 { clock.second }

    init() throws {
        folder = try TemporaryDirectory()
        let configuration = SQLiteTokenStoreConfiguration(
            deadline: .seconds(10), now: { [clock] in clock.now })
        first = try SQLiteTokenStore.open(path: folder.file("tokens.db"), configuration: configuration)
        another = try SQLiteTokenStore.open(path: folder.file("tokens.db"), configuration: configuration)
    }

    func elapse(_ seconds: Int64) { clock.advance(seconds: seconds) }

    func run(_ test: @escaping @Sendable () async throws -> Void) async throws { try await test() }

    func close() async {
        await first.close()
        await another.close()
    }
}

/// The SQLite store, read on a loop's own connection.
private final class SQLiteLoopFixture: TokenStoreFixture {
    private let folder: TemporaryDirectory
    private let clock = TestClock()
    private let shared: SQLiteTokenStore
    private let thread: EventLoop.Running
    let store: any TokenStore

    var other: any TokenStore { shared }
    var second: Int64 { clock.second }

    init() throws {
        folder = try TemporaryDirectory()
        shared = try SQLiteTokenStore.open(
            path: folder.file("tokens.db"),
            configuration: SQLiteTokenStoreConfiguration(
                deadline: .seconds(10), now: { [clock] in clock.now }))
        thread = try EventLoop.start(name: "test-loop")
        store = shared.reading(on: thread.loop)
    }

    func elapse(_ seconds: Int64) { clock.advance(seconds: seconds) }

    func run(_ test: @escaping @Sendable () async throws -> Void) async throws {
        try await withTaskExecutorPreference(thread.loop) { try await test() }
    }

    func close() async {
        await shared.close()
        thread.loop.stop()
        thread.join()
    }
}
