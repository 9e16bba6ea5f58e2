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
                == ["0001_registry.sql", "0002_token_store.sql", "0003_server.sql"])
        try registry.migrate(at: 1)
        #expect(try registry.listClients().isEmpty)
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
