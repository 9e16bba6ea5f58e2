internal import OpenSSLCrypto
internal import SQLite

/// Brings a database to the form that this version needs: each migration once, in order, in a transaction with
/// the note that it was applied.
struct Migrator {
    private let connection: Connection
    private let set: MigrationSet

    init(_ set: MigrationSet, on connection: Connection) {
        self.set = set
        self.connection = connection
    }

    /// Applies what is pending; safe when several processes do so at once.
    /// - Returns: the names of what was applied now.
    func migrate(at now: Milliseconds) throws(StoreError) -> [String] {
        // Without taking the write lock where there is nothing to do.
        if try isIdentified(), try pending().isEmpty { return [] }
        return try connection.atomically { () throws(StoreError) in
            try identify()
            let pending = try pending()
            for migration in pending { try apply(migration, at: now) }
            return pending.map(\.name)
        }
    }

    /// What is not applied yet.
    /// - Throws: `incompatible` when the database has a migration that this version lacks, or another text of one.
    func pending() throws(StoreError) -> [Migration] {
        guard try isIdentified() else { return set.migrations }
        let applied = try applied()
        for (row, migration) in zip(applied, set.migrations) {
            guard row.number == migration.number else { throw gap(at: migration) }
            guard row.checksum == migration.checksum else { throw edited(migration) }
        }
        if applied.count > set.migrations.count {
            throw StoreError(
                .incompatible,
                "\(connection.path) was migrated by a newer version (\(applied[set.migrations.count].name)): "
                    + "use that version of authserver, or restore a backup made before it")
        }
        return Array(set.migrations.dropFirst(applied.count))
    }

    /// Whether the file holds nothing at all: it was just made, possibly by another process that is about to
    /// migrate it.
    func isBlank() throws(StoreError) -> Bool {
        guard try connection.integer("PRAGMA application_id") == 0 else { return false }
        return try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
    }

    /// Checks that nothing is pending.
    /// - Throws: `notMigrated` with the command that helps.
    func requireComplete() throws(StoreError) {
        let pending = try pending()
        guard pending.isEmpty else {
            throw StoreError(
                .notMigrated,
                "\(connection.path) needs \(pending.map(\.name).joined(separator: ", ")): "
                    + "run `authserver migrate --database FILE`")
        }
    }

    // MARK: Steps

    private func apply(_ migration: Migration, at now: Milliseconds) throws(StoreError) {
        do { try connection.execute(String(decoding: migration.sql, as: UTF8.self)) } catch {
            throw StoreError(
                .incompatible, "migration \(migration.name) failed, nothing was changed: \(error)")
        }
        let broken = try connection.all("PRAGMA foreign_key_check") { $0.text(0) }
        guard broken.isEmpty, connection.isInTransaction else {
            throw StoreError(
                .incompatible, "migration \(migration.name) breaks a foreign key or ends the transaction")
        }
        try connection.change(
            "INSERT INTO schema_migrations (number, name, checksum, applied_at) VALUES (?, ?, ?, ?)",
            [.integer(migration.number), .text(migration.name), .blob(migration.checksum), .integer(now)])
    }

    /// Marks an empty file as ours; refuses a file that something else made.
    private func identify() throws(StoreError) {
        if try isIdentified() { return }
        guard try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 else {
            throw StoreError(
                .incompatible,
                "\(connection.path) is a database, but no \(set.title) of authserver: name another file")
        }
        try connection.change("PRAGMA application_id = \(set.applicationID)")
        try connection.change(
            """
            CREATE TABLE schema_migrations (
                number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum BLOB NOT NULL, applied_at INTEGER NOT NULL
            ) STRICT
            """)
    }

    private func isIdentified() throws(StoreError) -> Bool {
        try connection.integer("PRAGMA application_id") == set.applicationID
    }

    private func applied() throws(StoreError) -> [AppliedMigration] {
        try connection.all("SELECT number, name, checksum FROM schema_migrations ORDER BY number") { row in
            AppliedMigration(number: row.integer(0), name: row.text(1), checksum: row.blob(2))
        }
    }

    private func gap(at migration: Migration) -> StoreError {
        StoreError(
            .incompatible,
            "\(connection.path) lacks migration \(migration.name) but has later ones: restore a backup")
    }

    private func edited(_ migration: Migration) -> StoreError {
        StoreError(
            .incompatible,
            "migration \(migration.name) was edited after it was applied to \(connection.path): "
                + "undo the edit and put the change into a new migration")
    }
}

private struct AppliedMigration {
    let number: Int64
    let name: String
    let checksum: [UInt8]
}

extension Migration {
    /// The SHA-256 of its text.
    var checksum: [UInt8] { SHA256.digest(sql.span) }
}
