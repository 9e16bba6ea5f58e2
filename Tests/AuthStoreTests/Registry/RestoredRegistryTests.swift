import SQLite
import Testing

@testable import AuthStore

/// What a reader does when the form of its open file changes, as by a restored backup or a migration.
@Suite struct RestoredRegistryTests {
    private final class Log {
        var entries: [RegistryTrouble] = []
    }

    private let fixture: RegistryFixture
    private let log = Log()

    init() throws {
        fixture = try RegistryFixture()
        try fixture.addScenario()
    }

    private func reader() throws -> RegistryReader {
        try fixture.reader { [log] in log.entries.append($0) }
    }

    @Test("One that lacks a migration is named once; what is known holds until it is applied")
    func older() throws {
        let reader = try reader()
        #expect(try reader.client("gateway") != nil)
        let file = try Connection(path: fixture.path, mode: .readWrite)
        try file.execute(
            """
            BEGIN; DELETE FROM clients WHERE client_id = 'gateway'; DROP TABLE changes; DROP TABLE change_sets;
            DELETE FROM schema_migrations WHERE number = 4; COMMIT
            """)
        for _ in 0..<10 {
            #expect(try reader.client("gateway") != nil)
            let error = #expect(throws: StoreError.self) { try reader.client("not-asked-yet") }
            #expect(error?.code == .notMigrated)
            #expect(throws: StoreError.self) { try reader.ping() }
        }
        #expect(log.entries.count == 1)
        #expect(
            "\(try #require(log.entries.first))".contains("needs 0004_changes.sql: run `authserver migrate`"))
        try Registry(path: fixture.path, mode: .readWrite).migrate(at: fixture.start)
        #expect(try reader.client("gateway") == nil)
        #expect(try reader.client("not-asked-yet") == nil)
        try reader.ping()
        #expect(log.entries.count == 2 && log.entries.last == .ended)
    }

    @Test("Something else than a registry is not read")
    func another() throws {
        let reader = try reader()
        #expect(try reader.client("gateway") != nil)
        try Connection(path: fixture.path, mode: .readWrite).execute("PRAGMA application_id = 7")
        #expect(try reader.client("gateway") != nil)
        let error = #expect(throws: StoreError.self) { try reader.ping() }
        #expect(error?.code == .incompatible && error?.message.contains("no registry") == true)
    }

    @Test("A migration of a newer version under a reader is no trouble")
    func newer() throws {
        let reader = try reader()
        #expect(try reader.client("gateway")?.isDisabled == false)
        let file = try Connection(path: fixture.path, mode: .readWrite)
        try file.execute(
            """
            CREATE TABLE newer (v INTEGER) STRICT;
            INSERT INTO schema_migrations VALUES (1000, '1000_newer.sql', x'00', 1)
            """)
        try file.execute("UPDATE clients SET disabled_at = 1 WHERE client_id = 'gateway'")
        #expect(try reader.client("gateway")?.isDisabled == true)
        try reader.ping()
        #expect(log.entries.isEmpty)
    }
}
