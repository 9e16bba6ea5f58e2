/// One numbered change of a database's form, as it stands in `migrations/`.
struct Migration: Sendable, Hashable {
    /// Its place in the order, from 1 on.
    let number: Int64
    /// The file's name without folder.
    let name: String
    /// The statements.
    let sql: [UInt8]
    /// The rows that it moves; nil where it takes no longer for many rows than for few.
    var moved: MovedRows?

    /// The statements.
    var text: String { String(decoding: sql, as: UTF8.self) }
}

/// Rows that a migration moves, one by one: how long it takes depends on how many there are.
struct MovedRows: Sendable, Hashable {
    /// Where they are before it.
    let table: String
    /// A statement that inserts a thousand such rows.
    let sample: String

    /// The tokens of an embedded store.
    static let tokens = MovedRows(
        table: "tokens",
        sample: """
            WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000)
            INSERT INTO tokens (jti, issued_at, expires_at) SELECT hex(randomblob(11)), n, n / 10 FROM numbers
            """)
}

/// All migrations of one kind of database, in order. A released migration is never edited: a change is a new one.
struct MigrationSet: Sendable, CustomStringConvertible {
    /// What the database is, for messages.
    let title: String
    /// Tells the files of this product apart (https://sqlite.org/pragma.html#pragma_application_id).
    let applicationID: Int64
    /// In the order in which they are applied.
    let migrations: [Migration]
    /// What else to do than to use the version that migrated it, where that was a newer one.
    var wayBack = "restore a backup made before it"

    var description: String { title }

    /// The registry of clients, resources, grants and keys.
    static let registry = MigrationSet(
        title: "registry", applicationID: 0x4F41_5247,
        migrations: [
            Migration(number: 1, name: "0001_registry.sql", sql: PackageResources._001_registry_sql),
            Migration(number: 2, name: "0002_token_store.sql", sql: PackageResources._002_token_store_sql),
            Migration(number: 3, name: "0003_server.sql", sql: PackageResources._003_server_sql),
            Migration(number: 4, name: "0004_changes.sql", sql: PackageResources._004_changes_sql),
        ])

    /// The embedded token store.
    static let tokens = MigrationSet(
        title: "token store", applicationID: 0x4F41_5453,
        migrations: [
            Migration(number: 1, name: "0001_tokens.sql", sql: PackageResources._001_tokens_sql),
            Migration(
                number: 2, name: "0002_order_by_end.sql", sql: PackageResources._002_order_by_end_sql,
                moved: .tokens),
        ],
        wayBack:
            "remove the file with its -wal and -shm, since it holds issued tokens only: clients get new ones")
}
