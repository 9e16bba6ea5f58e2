import OAuth
import OpenSSLCrypto
import SQLite
import Testing

@testable import AuthStore

@Suite("The record of a change and the change") struct RecordedTogetherTests {
    private let fixture: RegistryFixture
    private var registry: Registry { fixture.registry }
    private var start: Milliseconds { fixture.start }

    init() throws {
        fixture = try RegistryFixture()
        try fixture.addScenario()
    }

    @Test(
        "hold together or not at all: neither a refusal nor what went before it in its transaction is recorded"
    )
    func refused() throws {
        let before = try registry.changes()
        #expect(throws: StoreError.self) {
            try registry.transaction { () throws(StoreError) in
                try registry.addClient(ClientDraft(id: "app"), at: start)
                try registry.grant("read", at: "RESOURCE_ID_BOK", to: "app", at: start)
            }
        }
        #expect(throws: StoreError.self) { try registry.addClient(ClientDraft(id: "gateway"), at: start) }
        try registry.rehearse { () throws(StoreError) in try registry.removeClient("gateway", at: start) }
        #expect(try registry.changes() == before)
        #expect(try registry.connection.integer("SELECT count(*) FROM change_sets") == 4)
        try registry.removeClient("gateway", at: start)
        #expect(try registry.changes().count == before.count + 1)
    }

    @Test("A refusal changes nothing, also for a program that goes on with its transaction")
    func goesOn() throws {
        for _ in try registry.client("gateway").secrets.count..<Registry.maximumSecrets {
            try registry.addSecret(.decoy(.sha256), to: "gateway", from: start, at: start)
        }
        let before = (try registry.client("gateway").secrets, try registry.changes())
        try registry.transaction { () throws(StoreError) in
            do throws(StoreError) {
                _ = try registry.rotateSecret(of: "gateway", to: .decoy(.sha256), overlap: 86_400, at: start)
                Issue.record("a secret too many")
            } catch {
                #expect(
                    error.message.hasSuffix(
                        "remove one, or rotate without an overlap, which ends all of them"))
            }
        }
        #expect(try registry.client("gateway").secrets == before.0)
        #expect(try registry.changes() == before.1)
        try registry.rotateSecret(of: "gateway", to: .decoy(.sha256), overlap: 0, at: start + 1)
    }

    @Test("So does one that the second of several scopes is refused for")
    func goesOnWithScopes() throws {
        try registry.addScopes(["a", "b", "c"], to: "RESOURCE_ID_BOOK", at: start)
        try registry.grant("b", at: "RESOURCE_ID_BOOK", to: "gateway", at: start)
        try refusing { () throws(StoreError) in
            try registry.removeScopes(["a", "b", "c"], from: "RESOURCE_ID_BOOK", at: start)
        }
    }

    @Test("So does one of the master key, of which no key is retired or encrypted")
    func goesOnWithKeys() throws {
        let other = try #require(MasterKey(parsing: [UInt8](repeating: 1, count: 32)))
        let mine = try #require(MasterKey(parsing: [UInt8](repeating: 2, count: 32)))
        let others = try Registry(path: fixture.path, mode: .readWrite, masterKey: other)
        try registry.ensureSigningKey(at: start)
        try others.encryptSigningKeys(at: start)
        try registry.connection.execute(
            """
            INSERT INTO signing_keys (kid, algorithm, private_key, is_encrypted, created_at, activates_at)
            SELECT 'waits', algorithm, private_key, is_encrypted, created_at, \(start + 1000)
            FROM signing_keys
            """)
        try refusing { () throws(StoreError) in
            try registry.rotateSigningKey(publishedFor: 300, immediately: true, at: start)
        }
        // The first is plain, and would be encrypted before the next is found to be another's.
        let plain = try PrivateKey.generate(.es256)
        let stored = try StoredPrivateKey(plain, keyID: "plain", masterKey: nil)
        try registry.connection.change(
            """
            INSERT INTO signing_keys (id, kid, algorithm, private_key, is_encrypted, created_at, activates_at)
            VALUES (-1, 'plain', 'ES256', ?, 0, ?, ?)
            """, [.blob(stored.bytes), .integer(start), .integer(start)])
        try refusing(
            by: try Registry(path: fixture.path, mode: .readWrite, masterKey: mine)
        ) { registry throws(StoreError) in
            try registry.encryptSigningKeys(at: start)
        }
    }

    /// Tries a change that is refused within a transaction that goes on, and looks whether it has changed anything.
    private func refusing(_ change: () throws(StoreError) -> some Any) throws {
        try refusing(by: registry) { _ throws(StoreError) in try change() }
    }

    private func refusing(by registry: Registry, _ change: (Registry) throws(StoreError) -> some Any) throws {
        let before = try (registry.listResources(), registry.changes(), registry.connection.signingKeyRows())
        try registry.transaction { () throws(StoreError) in
            do throws(StoreError) {
                _ = try change(registry)
                Issue.record("it is not refused")
            } catch {}
        }
        #expect(try registry.listResources() == before.0)
        #expect(try registry.changes() == before.1)
        #expect(try registry.connection.signingKeyRows().map(\.detail) == before.2.map(\.detail))
        #expect(
            try registry.connection.signingKeyRows().map(\.stored?.bytes) == before.2.map(\.stored?.bytes))
    }

    @Test("A change that cannot be recorded is not made")
    func unrecorded() throws {
        try registry.connection.execute(
            """
            CREATE TRIGGER full BEFORE INSERT ON changes
            BEGIN SELECT RAISE(ABORT, 'no more'); END
            """)
        #expect(throws: StoreError.self) { try registry.setDisabled(true, client: "gateway", at: start) }
        #expect(throws: StoreError.self) { try registry.addClient(ClientDraft(id: "app"), at: start) }
        #expect(throws: StoreError.self) { try registry.ensureSigningKey(at: start) }
        #expect(throws: StoreError.self) { try registry.removeResource("RESOURCE_ID_BOOK", at: start) }
        #expect(try registry.listClients().map(\.disabledAt) == [nil])
        #expect(try registry.listResources().count == 2)
        #expect(try registry.keySchedule().keys == [])
    }

    @Test("What one transaction changes is one set, and each moment in it another")
    func sets() throws {
        func sets() throws -> Int64? { try registry.connection.integer("SELECT count(*) FROM change_sets") }
        let before = try #require(try sets())
        try registry.transaction { () throws(StoreError) in
            try registry.setDisabled(true, client: "gateway", at: start)
            try registry.setName("G", of: "gateway", at: start)
        }
        #expect(try sets() == before + 1)
        try registry.transaction { () throws(StoreError) in
            try registry.setDisabled(false, client: "gateway", at: start + 1)
            try registry.setName("H", of: "gateway", at: start + 2)
        }
        #expect(try registry.changes(limit: 3).map(\.moment) == [start + 2, start + 1, start])
    }

    @Test(
        "stays as it was written, whatever the number of the latest", arguments: ["changes", "change_sets"])
    func kept(table: String) throws {
        let column = table == "changes" ? "what" : "who"
        let error = #expect(throws: SQLiteError.self) {
            try registry.connection.run("UPDATE \(table) SET \(column) = 'nobody'")
        }
        #expect(error?.message.contains("stays as it is") == true)
        try registry.connection.execute(
            table == "changes"
                ? "INSERT INTO changes (number, change_set, what) VALUES (9223372036854775807, 1, 'x')"
                : "INSERT INTO change_sets (id, at, who) VALUES (9223372036854775807, 0, 'x')")
        try registry.setDisabled(true, client: "gateway", at: start)
        #expect(try registry.changes(about: "gateway").map(\.what).contains("client.disable"))
    }
}
