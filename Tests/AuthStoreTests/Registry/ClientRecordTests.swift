import Foundation
import OAuth
import OpenSSLCrypto
import SQLite
import TestSupport
import Testing

@testable import AuthStore

/// What a reader finds in the records of clients is what the tables say.
@Suite struct ClientRecordTests {
    private let fixture: RegistryFixture
    private let connection: Connection
    private var registry: Registry { fixture.registry }
    private var start: Milliseconds { fixture.start }

    init() throws {
        fixture = try RegistryFixture()
        try fixture.addScenario()
        connection = try Connection(path: fixture.path, mode: .readWrite)
    }

    @Test(
        "After any changes, by this library or by another program, the reader says what the tables say",
        arguments: 1...12)
    func agrees(seed: UInt64) throws {
        var changes = RandomChanges(seed: seed, registry: registry, connection: connection)
        let reader = try fixture.reader(capacity: 1)
        for _ in 0..<60 {
            let change = try changes.next()
            try expectAgreement(of: reader, after: change)
        }
    }

    @Test("After a change by this library all records are up to date, also of what another program changed")
    func written() throws {
        try connection.execute("INSERT INTO clients SELECT 77, 'by hand', 'x', 60, NULL, 1, 1, NULL")
        #expect(try count("SELECT count(*) FROM stale_client_records") == 1)
        #expect(try fixture.reader().client("by hand")?.tokenLifetime == 60)
        try registry.grant("read", at: "RESOURCE_ID_BOOK", to: "by hand", at: start)
        #expect(try count("SELECT count(*) FROM stale_client_records") == 0)
        #expect(try fixture.reader().client("by hand")?.grants == ["RESOURCE_ID_BOOK": "read"])
        #expect(try differences() == 0)
    }

    @Test("A transaction that fails leaves the records as they were")
    func undone() throws {
        let before = try connection.rows("SELECT client_id || secrets || grants FROM client_records") {
            $0.text(0)
        }
        let error = #expect(throws: StoreError.self) {
            try registry.transaction { () throws(StoreError) in
                try registry.grant("read", at: "RESOURCE_ID_BOOK", to: "gateway", at: start)
                try registry.grant("read", at: "RESOURCE_ID_NONE", to: "gateway", at: start)
            }
        }
        #expect(error?.code == .notFound)
        #expect(
            try connection.rows("SELECT client_id || secrets || grants FROM client_records") { $0.text(0) }
                == before)
    }

    @Test(
        "A record that is damaged is an error and no client",
        arguments: [
            "secrets = 'x'", "secrets = char(10)", "secrets = '1 0     AB CD id'",
            "secrets = '1 0     A CD id' || char(10)",
            "secrets = '1 0     AX CD id' || char(10)", "secrets = '1      AB CD id' || char(10)",
            "secrets = '9223372036854775808 0     AB CD id' || char(10)",
            "secrets = '1 2-    AB CD id' || char(10)",
            "grants = 'RESOURCE_ID_BOOK'", "grants = 'RESOURCE_ID_BOOK read'", "grants = ' read' || char(10)",
            "grants = 'RESOURCE_ID_BOOK ' || char(10)", "grants = CAST(x'FF207265610A' AS TEXT)",
        ])
    func damaged(change: String) throws {
        try connection.execute("UPDATE client_records SET \(change)")
        let reader = try fixture.reader()
        let error = #expect(throws: StoreError.self) { try reader.client("gateway") }
        #expect(error?.code == .corrupt)
    }

    @Test("A registry of before has its records after the migration, and says the same")
    func migrated() throws {
        let path = fixture.folder.file("old.db")
        let old = try Connection(path: path, mode: .create)
        let before = MigrationSet(
            title: MigrationSet.registry.title, applicationID: MigrationSet.registry.applicationID,
            migrations: Array(MigrationSet.registry.migrations.prefix(3)))
        _ = try Migrator(before, on: old).migrate(at: start)
        try old.execute(Self.population)
        let registry = try Registry(path: path, mode: .readWrite)
        #expect(throws: StoreError.self) { try RegistryReader(path: path) { _ in } }
        #expect(try registry.migrate(at: start).first == "0004_client_records.sql")
        let reader = try RegistryReader(path: path) { _ in }
        let app = try #require(try reader.client("app"))
        #expect(app.isDisabled && app.tokenLifetime == 60 && app.tokensRevokedAtMilliseconds == 7)
        #expect(app.authenticationMethod == .clientSecretPost && app.ownedResources == ["B"])
        #expect(app.grants == ["A": "read write", "B": "read"])
        #expect(app.secrets.map(\.id) == ["second", "first"])
        #expect(app.secrets.map(\.verifier.kind) == [.scrypt, .sha256])
        #expect(app.secrets.map(\.verifier.hash) == [[0x0C], [0xAB, 0xCD]])
        #expect(app.secrets.map(\.expiresAt) == [nil, 9])
        #expect(try reader.client("bare")?.grants == [:])
        #expect(try old.first("SELECT count(*) FROM client_records") { $0.integer(0) } == 2)
        #expect(try old.first("SELECT count(*) FROM stale_client_records") { $0.integer(0) } == 0)
    }

    private static let population = """
        INSERT INTO clients VALUES (5, 'app', 'App', 60, 'client_secret_post', 1, 2, 3), (6, 'bare', 'Bare', 61, NULL, 1, 2, NULL);
        INSERT INTO resources VALUES (1, 'A', NULL, 1), (2, 'B', 5, 1);
        INSERT INTO resource_scopes VALUES (1, 'read'), (1, 'write'), (2, 'read');
        INSERT INTO grants VALUES (5, 2, 'read'), (5, 1, 'write'), (5, 1, 'read');
        INSERT INTO client_secrets VALUES (1, 'first', 5, 'sha256', x'01', x'ABCD', NULL, NULL, NULL, 1, 0, 9);
        INSERT INTO client_secrets VALUES (2, 'second', 5, 'scrypt', x'02', x'0C', 16, 8, 1, 1, 4, NULL);
        INSERT INTO client_revocations VALUES ('app', 7, 8);
        """

    // MARK: Help

    private func expectAgreement(of reader: RegistryReader, after change: String) throws {
        #expect(try differences() == 0, "\(change)")
        for detail in try registry.listClients() {
            let client = try #require(try reader.client(detail.id), "\(change)")
            #expect(client.isDisabled == (detail.disabledAt != nil), "\(change)")
            #expect(client.tokensRevokedAtMilliseconds == detail.tokensRevokedAt, "\(change)")
            #expect(client.tokenLifetime == detail.tokenLifetime, "\(change)")
            #expect(client.authenticationMethod == detail.authenticationMethod, "\(change)")
            #expect(client.grants == detail.grants, "\(change)")
            #expect(client.ownedResources == detail.ownedResources, "\(change)")
            #expect(client.secrets == (try secrets(of: detail.id)), "\(change)")
        }
        for name in RandomChanges.clients where try registry.listClients().allSatisfy({ $0.id != name }) {
            #expect(try reader.client(name) == nil, "\(change)")
        }
    }

    /// The secrets of a client by the table alone.
    private func secrets(of client: ClientID) throws -> [ClientSecret] {
        try connection.rows(
            """
            SELECT secret_id, salt, hash, scrypt_n, not_before, expires_at
            FROM client_secrets WHERE client = (SELECT id FROM clients WHERE client_id = ?) ORDER BY id DESC
            """, [.text(client.value)]
        ) { row in
            ClientSecret(
                id: row.text(0),
                verifier: SecretVerifier(
                    row.isNull(3) ? .sha256 : .scrypt(.standard), salt: row.blob(1), hash: row.blob(2)),
                notBefore: row.integer(4), expiresAt: row.optionalInteger(5))
        }
    }

    /// How many records that count as up to date are not what they must be.
    private func differences() throws -> Int64? {
        try count(
            """
            SELECT count(*) FROM (
                SELECT * FROM (SELECT * FROM client_records UNION ALL SELECT * FROM client_record_of)
                WHERE client NOT IN stale_client_records
                GROUP BY client_id, client, disabled_at, token_lifetime, auth_method, secrets, grants HAVING count(*) <> 2)
            """)
    }

    private func count(_ sql: String) throws -> Int64? { try connection.first(sql) { $0.integer(0) } }
}
