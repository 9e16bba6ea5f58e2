import EventLoop
import Foundation
import OAuth
import SQLite
import TestSupport
import Testing

@testable import AuthStore

/// What is true of the embedded store alone.
@Suite struct SQLiteTokenStoreTests {
    private let folder: TemporaryDirectory
    private let clock = TestClock()
    private var path: String { folder.file("tokens.db") }

    init() throws { folder = try TemporaryDirectory() }

    private func open(
        deadline: Duration = .seconds(10), maximumPending: Int = 8192, maximumPages: Int64? = nil
    ) throws -> SQLiteTokenStore {
        var configuration = SQLiteTokenStoreConfiguration(
            deadline: deadline, maximumPending: maximumPending, now: { [clock] in clock.now })
        configuration.maximumPages = maximumPages
        return try SQLiteTokenStore.open(path: path, configuration: configuration)
    }

    private func makeTokens(_ count: Int, lifetime: Int64 = 60) -> [StoredToken] {
        (0..<count).map { _ in StoredToken.make(expiresAt: clock.second + lifetime) }
    }

    private func record(_ tokens: [StoredToken], in store: SQLiteTokenStore) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for token in tokens { group.addTask { try await store.record(token) } }
            try await group.waitForAll()
        }
    }

    @Test("A store that nobody closed lets its file go when it is released")
    func released() throws {
        let store = try open()
        #expect(openFiles() > 0)
        _ = consume store
        #expect(openFiles() == 0)
    }

    /// How many descriptors of this process refer to files of this test.
    private func openFiles() -> Int {
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return descriptors.count { number in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
            return target?.hasPrefix(folder.path) == true
        }
    }

    /// The number in the first row, read as another process would.
    private func number(_ sql: String) throws -> Int64? {
        try Connection(path: path, mode: .readOnly).first(sql) { $0.integer(0) }
    }

    @Test("Tokens and revocations outlive the process")
    func durable() async throws {
        let tokens = makeTokens(2)
        let first = try open()
        try await record(tokens, in: first)
        try await first.revoke(tokens[0].tokenID)
        try await first.revokeAll(of: "app", at: clock.now, keepFor: 60)
        await first.close()
        let second = try open()
        #expect(try await second.status(of: tokens[0].tokenID, client: "gateway") == .inactive)
        #expect(try await second.status(of: tokens[1].tokenID, client: "gateway") == .active)
        #expect(try await second.status(of: tokens[1].tokenID, client: "app") == .inactive)
        await second.close()
    }

    @Test("A file of an earlier version is brought up to date, and its tokens live on")
    func earlierVersion() async throws {
        let tokens = makeTokens(3)
        let first = MigrationSet(
            title: "token store", applicationID: MigrationSet.tokens.applicationID,
            migrations: Array(MigrationSet.tokens.migrations.prefix(1)))
        try earlierFile(first, tokens)
        var told: [MigrationProgress] = []
        let store = try SQLiteTokenStore.open(
            path: path, configuration: SQLiteTokenStoreConfiguration(now: { [clock] in clock.now }),
            onMigration: { told.append($0) })
        let work = MigrationWork(
            database: "token store", migrations: ["0002_order_by_end.sql"], moved: "3 tokens")
        #expect(told == [.begins(work), .done(work)])
        for token in tokens {
            #expect(
                try await store.status(
                    of: token.tokenID, client: "gateway", expiringAt: token.expiresAt) == .active)
        }
        await store.close()
    }

    private func earlierFile(_ set: MigrationSet, _ tokens: [StoredToken]) throws {
        let connection = try Connection.open(path, mode: .create)
        _ = try Migrator(set, on: connection).migrate(at: clock.now)
        for token in tokens {
            try connection.run(
                "INSERT INTO tokens (jti, issued_at, expires_at) VALUES (?, ?, ?)",
                [
                    .text(token.tokenID.value), .integer(token.issuedAtMilliseconds),
                    .integer(token.expiresAt),
                ])
        }
    }

    @Test("What has expired is deleted, in batches, and nothing else is")
    func purge() async throws {
        let store = try open()
        try await record(makeTokens(1500, lifetime: 5) + makeTokens(1500, lifetime: 6), in: store)
        let kept = makeTokens(20, lifetime: 60)
        try await record(kept, in: store)
        clock.advance(seconds: 10)
        try await eventuallySucceeds {
            guard try number("SELECT count(*) FROM tokens") == 20 else { throw TokenStoreError.timedOut }
        }
        for token in kept {
            #expect(try await store.status(of: token.tokenID, client: "gateway") == .active)
        }
        await store.close()
    }

    @Test("What a loop records while it is busy is one commit")
    func oneCommitForATurn() async throws {
        let store = try open()
        try await store.record(makeTokens(1)[0])
        let before = try logBytes()
        let tokens = makeTokens(32)
        try await runOnLoop { loop in
            let bound = store.reading(on: loop)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for token in tokens { group.addTask { try await bound.record(token) } }
                try await group.waitForAll()
            }
        }
        // All rows fit a page, which each commit writes to the log.
        #expect((1...3).contains((try logBytes() - before) / 4120))
        await store.close()
    }

    private func logBytes() throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path + "-wal")
        return (attributes[.size] as? NSNumber)?.intValue ?? 0
    }

    @Test("The file is for its owner alone")
    func fileMode() async throws {
        let store = try open()
        try await store.ping()
        for name in ["tokens.db", "tokens.db-wal", "tokens.db-shm"] {
            #expect(try folder.permissions(name) == 0o600)
        }
        await store.close()
    }

    @Test("A registry is no token store, and is left alone")
    func wrongFile() throws {
        let registry = try Registry(path: path, mode: .create)
        try registry.migrate(at: 1)
        let error = #expect(throws: StoreError.self) { try open() }
        #expect(error?.code == .incompatible)
    }

    @Test(
        "While another process holds the lock a call ends at its deadline, reads go on, and it recovers by itself (B20)"
    )
    func locked() async throws {
        let store = try open(deadline: .milliseconds(300))
        let before = makeTokens(1)[0]
        try await eventuallySucceeds { try await store.record(before) }
        let other = try Connection(path: path, mode: .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        let late = makeTokens(1)[0]
        let started = ContinuousClock.now
        await #expect(throws: TokenStoreError.self) { try await store.record(late) }
        #expect(ContinuousClock.now - started < .seconds(3))
        #expect(try await store.status(of: before.tokenID, client: "gateway") == .active)
        try other.execute("COMMIT")
        try await eventuallySucceeds { try await store.record(makeTokens(1)[0]) }
        await store.close()
    }

    @Test("A full disk is an error to the caller, and is over when there is room again")
    func full() async throws {
        let store = try open(maximumPages: 60)
        var recorded: [StoredToken] = []
        let error = await #expect(throws: TokenStoreError.self) {
            for _ in 0..<100 {
                let tokens = makeTokens(100)
                try await record(tokens, in: store)
                recorded += tokens
            }
        }
        guard case .unavailable(let reason) = error else { throw try #require(error) }
        #expect(reason.contains("full") && reason.contains("make space"))
        let first = try #require(recorded.first)
        #expect(try await store.status(of: first.tokenID, client: "gateway") == .active)
        clock.advance(seconds: 120)
        try await eventuallySucceeds { try await record(makeTokens(100), in: store) }
        await store.close()
    }

    @Test("A file that is removed under the store is made anew (T21)")
    func removed() async throws {
        let store = try open()
        try await store.record(makeTokens(1)[0])
        for name in [path, path + "-wal", path + "-shm"] { try FileManager.default.removeItem(atPath: name) }
        let token = makeTokens(1)[0]
        try await eventuallySucceeds {
            try await store.record(token)
            clock.advance(seconds: 1)
            guard try number("SELECT count(*) FROM tokens WHERE jti = '\(token.tokenID)'") == 1,
                try await store.status(of: token.tokenID, client: "gateway") == .active
            else { throw TokenStoreError.timedOut }
        }
        await store.close()
    }

    @Test("A call more than may wait is refused at once, and those that wait are done")
    func overloaded() async throws {
        let store = try open(maximumPending: 10)
        let other = try Connection(path: path, mode: .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        let tokens = makeTokens(100)
        let outcomes = await withTaskGroup(of: TokenStoreError?.self) { group in
            for token in tokens {
                group.addTask {
                    do {
                        try await store.record(token)
                        return nil
                    } catch { return error as? TokenStoreError }
                }
            }
            var outcomes: [TokenStoreError?] = []
            for await outcome in group {
                outcomes.append(outcome)
                // The writer holds one group and ten wait: all others were refused while the lock was held.
                if outcomes.count == 80 { try? other.execute("COMMIT") }
            }
            return outcomes
        }
        #expect(outcomes.prefix(80).allSatisfy { $0 == .overloaded })
        #expect(outcomes.contains { $0 == nil })
        #expect(try number("SELECT count(*) FROM tokens").map(Int.init) == outcomes.count { $0 == nil })
        await store.close()
    }

    @Test("A closed store refuses, and does not hang")
    func closed() async throws {
        let store = try open()
        await store.close()
        await store.close()
        await #expect(throws: TokenStoreError.self) { try await store.record(makeTokens(1)[0]) }
    }

    @Test("Expired tokens and revocations go, and the file stops growing (T27, B21)")
    func growth() async throws {
        let store = try open()
        var pages: [Int64] = []
        for round in 0..<12 {
            try await record(makeTokens(2000, lifetime: 5), in: store)
            try await store.revokeAll(of: ClientID("client-\(round)"), at: clock.now, keepFor: 5)
            clock.advance(seconds: 5)
            pages.append(try #require(try number("PRAGMA page_count")))
        }
        let early = try #require(pages.prefix(4).max())
        #expect(try #require(pages.last) <= early * 2)
        clock.advance(seconds: 60)
        try await eventuallySucceeds {
            guard
                try number("SELECT (SELECT count(*) FROM tokens) + (SELECT count(*) FROM client_revocations)")
                    == 0,
                try number("PRAGMA page_count").map({ $0 < 300 }) == true
            else { throw TokenStoreError.timedOut }
        }
        await store.close()
    }
}
