import Foundation
import SQLite
import TestSupport
import Testing

@testable import AuthStore

@Suite struct MigrationTests {
    private static let first = Migration(
        number: 1, name: "0001_a.sql", sql: Array("CREATE TABLE a (v INTEGER) STRICT;".utf8))
    private static let second = Migration(
        number: 2, name: "0002_b.sql", sql: Array("CREATE TABLE b (v INTEGER) STRICT;".utf8))

    private let folder: TemporaryDirectory
    private let connection: Connection

    init() throws {
        folder = try TemporaryDirectory()
        connection = try Connection(path: folder.file("a.db"), mode: .create)
    }

    private func migrator(_ migrations: [Migration], applicationID: Int64 = 77) -> Migrator {
        Migrator(
            MigrationSet(title: "test", applicationID: applicationID, migrations: migrations), on: connection)
    }

    private func tables() throws -> [String] {
        try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") {
            $0.text(0)
        }
    }

    @Test(
        "The embedded migrations are the files of the folder, in order, under their own numbers",
        arguments: [("migrations", MigrationSet.registry), ("migrations/tokens", MigrationSet.tokens)])
    func embedded(folder: String, set: MigrationSet) throws {
        let root = packageFolder().appendingPathComponent(folder)
        let files = try FileManager.default.contentsOfDirectory(atPath: root.path)
            .filter { $0.hasSuffix(".sql") }.sorted()
        #expect(files == set.migrations.map(\.name))
        for (index, migration) in set.migrations.enumerated() {
            #expect(migration.number == Int64(index + 1))
            #expect(migration.name.hasPrefix(String(format: "%04d_", index + 1)))
            #expect(try migration.sql == Array(Data(contentsOf: root.appendingPathComponent(migration.name))))
        }
    }

    @Test("Each migration is applied once, in order, and later ones are added later")
    func once() throws {
        #expect(try migrator([Self.first]).migrate(at: 1) == ["0001_a.sql"])
        #expect(try migrator([Self.first]).migrate(at: 2) == [])
        #expect(try migrator([Self.first, Self.second]).pending().map(\.name) == ["0002_b.sql"])
        #expect(try migrator([Self.first, Self.second]).migrate(at: 3) == ["0002_b.sql"])
        #expect(try tables() == ["a", "b", "schema_migrations"])
    }

    @Test("A migration that fails leaves nothing, neither its tables nor those of the one before it")
    func failing() throws {
        let broken = Migration(
            number: 2, name: "0002_broken.sql",
            sql: Array("CREATE TABLE c (v INTEGER) STRICT; CREATE TABL".utf8))
        let error = #expect(throws: StoreError.self) { try migrator([Self.first, broken]).migrate(at: 1) }
        #expect(error?.code == .incompatible)
        #expect(error?.message.contains("0002_broken.sql") == true)
        #expect(try tables() == [])
    }

    @Test("A migration that ends its transaction is refused")
    func commits() throws {
        let committing = Migration(number: 1, name: "0001_c.sql", sql: Array("COMMIT".utf8))
        #expect(throws: StoreError.self) { try migrator([committing]).migrate(at: 1) }
    }

    @Test("Migrations that leave a foreign key without its row are refused, and nothing of them holds")
    func brokenKey() throws {
        let parents = Migration(
            number: 2, name: "0002_parents.sql",
            sql: Array(
                """
                CREATE TABLE parents (id INTEGER PRIMARY KEY) STRICT;
                CREATE TABLE children (parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED) STRICT;
                """.utf8))
        let orphan = Migration(
            number: 3, name: "0003_orphan.sql", sql: Array("INSERT INTO children VALUES (7)".utf8))
        try connection.run("PRAGMA foreign_keys = OFF")
        let error = #expect(throws: StoreError.self) {
            try migrator([Self.first, parents, orphan]).migrate(at: 1)
        }
        #expect(error?.code == .incompatible)
        #expect(error?.message.contains("0003_orphan.sql") == true)
        #expect(try tables() == [])
    }

    @Test("An edited migration is noticed")
    func edited() throws {
        try #expect(migrator([Self.first]).migrate(at: 1).count == 1)
        let edited = Migration(number: 1, name: "0001_a.sql", sql: Self.first.sql + Array(" ".utf8))
        let error = #expect(throws: StoreError.self) { try migrator([edited]).migrate(at: 2) }
        #expect(error?.code == .incompatible)
        #expect(error?.message.contains("edited") == true)
    }

    @Test("A gap is noticed")
    func gap() throws {
        _ = try migrator([Self.first, Self.second]).migrate(at: 1)
        try connection.run("DELETE FROM schema_migrations WHERE number = 1")
        let error = #expect(throws: StoreError.self) { try migrator([Self.first, Self.second]).pending() }
        #expect(error?.code == .incompatible)
        #expect(error?.message.contains("lacks migration 0001_a.sql") == true)
    }

    @Test("A database of a newer version is refused")
    func newer() throws {
        _ = try migrator([Self.first, Self.second]).migrate(at: 1)
        let error = #expect(throws: StoreError.self) { try migrator([Self.first]).migrate(at: 2) }
        #expect(error?.code == .incompatible)
        #expect(error?.message.contains("newer version (0002_b.sql)") == true)
    }

    @Test(
        "The way back from a newer version is a backup for the registry, and for tokens to do without them",
        arguments: [
            (MigrationSet.registry, "use that version of authserver, or restore a backup made before it"),
            (
                MigrationSet.tokens,
                "use that version of authserver, or remove the file with its -wal and -shm, since it holds "
                    + "issued tokens only: clients get new ones"
            ),
        ])
    func wayBack(set: MigrationSet, advice: String) throws {
        let migrator = Migrator(set, on: connection)
        _ = try migrator.migrate(at: 1)
        try connection.run("INSERT INTO schema_migrations VALUES (1000, '1000_newer.sql', x'00', 1)")
        let error = #expect(throws: StoreError.self) { try migrator.pending() }
        #expect(
            error?.message
                == "\(connection.path) was migrated by a newer version (1000_newer.sql): \(advice)")
    }

    @Test("A database that something else made is left alone")
    func foreign() throws {
        try connection.execute("CREATE TABLE theirs (v INTEGER) STRICT")
        let error = #expect(throws: StoreError.self) { try migrator([Self.first]).migrate(at: 1) }
        #expect(error?.code == .incompatible)
        #expect(try tables() == ["theirs"])
    }

    @Test("A file that nothing was ever put into is blank; one of an older version or another product is not")
    func blank() throws {
        #expect(try migrator([Self.first]).isBlank())
        try connection.useWriteAheadLog(.full)
        #expect(try migrator([Self.first]).isBlank())
        _ = try migrator([Self.first]).migrate(at: 1)
        #expect(try !migrator([Self.first, Self.second]).isBlank())
        let theirs = try Connection(path: folder.file("b.db"), mode: .create)
        try theirs.execute("CREATE TABLE theirs (v INTEGER) STRICT")
        #expect(try !Migrator(.registry, on: theirs).isBlank())
    }

    @Test("A token store is no registry")
    func otherKind() throws {
        _ = try Migrator(.tokens, on: connection).migrate(at: 1)
        #expect(throws: StoreError.self) { try Migrator(.registry, on: connection).migrate(at: 1) }
    }

    @Test("A registry without its migrations is an error that names the command")
    func notMigrated() throws {
        let registry = try Registry(path: folder.file("new.db"), mode: .create)
        let error = #expect(throws: StoreError.self) { try registry.listClients() }
        #expect(error?.code == .notMigrated)
        #expect(error?.message.contains("authserver migrate") == true)
        #expect(
            try registry.pendingMigrations()
                == ["0001_registry.sql", "0002_token_store.sql", "0003_server.sql", "0004_changes.sql"])
        try registry.migrate(at: 1)
        #expect(try registry.listClients().isEmpty)
    }
}

/// What is told to whoever waits for a migration.
@Suite struct MigrationProgressTests {
    private let connection: Connection
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        connection = try Connection(path: folder.file("tokens.db"), mode: .create)
    }

    /// All that is told, and how it ended.
    private func told(by set: MigrationSet = .tokens) throws -> [MigrationProgress] {
        var told: [MigrationProgress] = []
        _ = try? Migrator(set, on: connection).migrate(at: 1) { told.append($0) }
        return told
    }

    /// A store of the version before tokens were put in order.
    private func makeEarlierStore(thousands: Int) throws {
        _ = try Migrator(.tokens(upTo: 1), on: connection).migrate(at: 1)
        for _ in 0..<thousands { try connection.run(MovedRows.tokens.sample) }
    }

    @Test("Where tokens are moved it is told how many, and the part that is done grows to the whole")
    func moved() throws {
        try makeEarlierStore(thousands: 40)
        let told = try told()
        let work = MigrationWork(
            database: "token store", migrations: ["0002_order_by_end.sql"], moved: "40000 tokens")
        #expect(told.first == .begins(work) && told.last == .done(work))
        let fractions = told.compactMap { progress -> Double? in
            guard case .goesOn(work, let fraction) = progress else { return nil }
            return fraction
        }
        #expect(fractions.count >= 20 && fractions.count == told.count - 2)
        #expect(fractions == fractions.sorted())
        // It is a part of the work, not of the time: as much is done between one and the next.
        #expect((fractions.first ?? 1) < 0.05 && (0.9...1).contains(fractions.last ?? 0), "\(fractions)")
        #expect(try connection.first("SELECT count(*) FROM tokens") { $0.integer(0) } == 40_000)
    }

    @Test("A new database, and one that lacks nothing, is nothing to tell of")
    func nothing() throws {
        #expect(try told() == [])
        #expect(try told() == [])
    }

    @Test("An earlier database without rows is told of too")
    func empty() throws {
        try makeEarlierStore(thousands: 0)
        let told = try told()
        let work = MigrationWork(
            database: "token store", migrations: ["0002_order_by_end.sql"], moved: "0 tokens")
        #expect(told == [.begins(work), .done(work)])
    }

    @Test("What moves no rows is told of without a part, and what fails is told to have failed")
    func failed() throws {
        try makeEarlierStore(thousands: 1)
        let set = MigrationSet.tokens(
            upTo: 1,
            and: Migration(
                number: 2, name: "0002_b.sql",
                sql: Array(
                    "CREATE TABLE b AS SELECT a.jti FROM tokens a, tokens LIMIT 20000; CREATE TABL".utf8)))
        let told = try told(by: set)
        let work = MigrationWork(database: "token store", migrations: ["0002_b.sql"], moved: nil)
        #expect(told.first == .begins(work) && told.last == .failed(work))
        #expect(told.dropFirst().dropLast().allSatisfy { $0 == .goesOn(work, fraction: nil) })
        #expect(told.count > 2)
    }

    @Test("An observer that is told nothing more is not called by later statements")
    func over() throws {
        try makeEarlierStore(thousands: 1)
        var count = 0
        _ = try Migrator(.tokens, on: connection).migrate(at: 1) { _ in count += 1 }
        let before = count
        try connection.run("DELETE FROM tokens WHERE jti IN (SELECT a.jti FROM tokens a, tokens LIMIT 50000)")
        #expect(count == before)
    }
}

extension MigrationSet {
    /// The first migrations of the token store, and others behind them.
    fileprivate static func tokens(upTo count: Int, and more: Migration...) -> MigrationSet {
        MigrationSet(
            title: tokens.title, applicationID: tokens.applicationID,
            migrations: Array(tokens.migrations.prefix(count)) + more)
    }
}

/// The folder of Package.swift, above this file.
private func packageFolder() -> URL {
    var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while !FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path),
        folder.path != "/"
    {
        folder.deleteLastPathComponent()
    }
    return folder
}
