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
    /// - Parameters:
    ///   - now: the moment that is noted.
    ///   - observer: told how it goes on, where the database is not new.
    ///   - conclude: what is done in the same transaction once all are applied, with their names.
    /// - Returns: the names of what was applied now.
    func migrate(
        at now: Milliseconds, observer: MigrationObserver? = nil,
        conclude: ([String]) throws(StoreError) -> Void = { _ in }
    ) throws(StoreError) -> [String] {
        // Without taking the write lock where there is nothing to do.
        if try content() == .ours, try pending().isEmpty { return [] }
        let report = MigrationReport(observer)
        do {
            let applied = try connection.atomically { () throws(StoreError) in
                try identify()
                let pending = try pending()
                try report.begin(pending, of: set, on: connection)
                let names = try connection.reporting(everySteps: MigrationReport.interval, to: report.goOn) {
                    () throws(StoreError) in try apply(pending, at: now)
                }
                if !names.isEmpty { try conclude(names) }
                return names
            }
            // Nobody has to wait for it later, when commits have deadlines.
            if connection.pagesInLog > 1000 { try? connection.checkpoint() }
            report.end(isDone: true)
            return applied
        } catch {
            report.end(isDone: false)
            throw error
        }
    }

    /// What is not applied yet.
    /// - Throws: `incompatible` when the database has a migration that this version lacks, or another text of one, or
    ///   when something else made it.
    func pending() throws(StoreError) -> [Migration] {
        guard try content() == .ours else { return try whole() }
        let applied = try applied()
        for (row, migration) in zip(applied, set.migrations) {
            guard row.number == migration.number else { throw gap(at: migration) }
            guard row.checksum == migration.checksum else { throw edited(migration) }
        }
        if applied.count > set.migrations.count {
            throw StoreError(
                .incompatible,
                "\(connection.path) was migrated by a newer version (\(applied[set.migrations.count].name)): "
                    + "use that version of authserver, or \(set.wayBack)")
        }
        return Array(set.migrations.dropFirst(applied.count))
    }

    /// Whether the file holds nothing at all: it was just made, possibly by another process that is about to
    /// migrate it.
    func isBlank() throws(StoreError) -> Bool { try content() == .nothing }

    /// Checks that the file is of this kind, or holds nothing yet: to be called before anything in it is changed, since
    /// another product's that was named by mistake has to stay as it is, its journal and its permissions too.
    /// - Throws: `incompatible` for one that something else made.
    func refuseAnother() throws(StoreError) {
        if try content() == .another { _ = try whole() }
    }

    /// Checks that nothing is pending.
    /// - Throws: `notMigrated` with the command that helps, or what `pending()` throws.
    func requireComplete() throws(StoreError) { try refuse(try pending()) }

    /// Checks that nothing is missing, whatever a newer version has added besides: a database that is read already
    /// may be brought up to date, or become an older one that is restored over it.
    /// - Throws: `notMigrated` as `requireComplete()`, or `incompatible` when something else made it.
    func requireNothingMissing() throws(StoreError) {
        guard try content() == .ours else { return try refuse(try whole()) }
        let applied = Set(try connection.all("SELECT number FROM schema_migrations") { $0.integer(0) })
        try refuse(set.migrations.filter { !applied.contains($0.number) })
    }

    private func refuse(_ missing: [Migration]) throws(StoreError) {
        guard !missing.isEmpty else { return }
        throw StoreError(
            .notMigrated,
            "\(connection.path) needs \(missing.map(\.name).joined(separator: ", ")): "
                + "run `authserver migrate` with the same database")
    }

    // MARK: Steps

    /// Applies all of these, and looks at foreign keys once: with a million clients that takes a second.
    private func apply(_ pending: [Migration], at now: Milliseconds) throws(StoreError) -> [String] {
        for migration in pending { try apply(migration, at: now) }
        let names = pending.map(\.name)
        let broken = try connection.all("PRAGMA foreign_key_check") { $0.text(0) }
        guard broken.isEmpty else {
            throw StoreError(
                .incompatible,
                "foreign keys are broken after \(names.joined(separator: ", ")), nothing was changed: "
                    + "restore a backup")
        }
        return names
    }

    private func apply(_ migration: Migration, at now: Milliseconds) throws(StoreError) {
        do { try connection.execute(migration.text) } catch {
            let advice = error.advice.map { "; \($0)" } ?? ""
            throw StoreError(
                .incompatible,
                "migration \(migration.name) failed, nothing was changed: \(error.message) (code \(error.code))"
                    + advice)
        }
        guard connection.isInTransaction else {
            throw StoreError(.incompatible, "migration \(migration.name) ends the transaction")
        }
        try connection.change(
            "INSERT INTO schema_migrations (number, name, checksum, applied_at) VALUES (?, ?, ?, ?)",
            [.integer(migration.number), .text(migration.name), .blob(migration.checksum), .integer(now)])
    }

    /// Marks an empty file as ours; refuses a file that something else made.
    private func identify() throws(StoreError) {
        if try content() == .ours { return }
        _ = try whole()
        try connection.change("PRAGMA application_id = \(set.applicationID)")
        try connection.change(
            """
            CREATE TABLE schema_migrations (
                number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum BLOB NOT NULL, applied_at INTEGER NOT NULL
            ) STRICT
            """)
    }

    /// What a file is seen to hold before anything of it is read.
    private enum Content {
        case ours
        case nothing
        case another
    }

    private func content() throws(StoreError) -> Content {
        // Both as of one moment: another process may be about to migrate it.
        let seen = try connection.one(
            "SELECT (SELECT application_id FROM pragma_application_id), (SELECT count(*) FROM sqlite_schema)"
        ) { row in (id: row.integer(0), tables: row.integer(1)) }
        if seen?.id == set.applicationID { return .ours }
        return seen?.id == 0 && seen?.tables == 0 ? .nothing : .another
    }

    /// All migrations, for a file that holds nothing yet.
    /// - Throws: `incompatible` for one that something else made.
    private func whole() throws(StoreError) -> [Migration] {
        guard try content() == .nothing else {
            throw StoreError(
                .incompatible,
                "\(connection.path) is a database, but no \(set.title) of authserver: name another file")
        }
        return set.migrations
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
