internal import OAuth
internal import SQLite

/// The database of the embedded token store, as its one writer has it open.
final class TokenFile {
    private let connection: Connection
    private let identity: FileIdentity?
    private let durability: Connection.Synchronous
    private let insert: Statement
    private let delete: Statement

    /// Looks whether a file that is there can be a token store.
    static func check(path: String) throws(StoreError) {
        guard FileIdentity(path: path) != nil else { return }
        let connection = try Connection.open(path, mode: .readWrite, busyTimeout: 1000)
        _ = try Migrator(.tokens, on: connection).pending()
    }

    /// Opens the file, makes it where it is missing, and applies its migrations.
    init(
        path: String, configuration: SQLiteTokenStoreConfiguration, onMigration: MigrationObserver? = nil
    ) throws(StoreError) {
        durability = configuration.durability == .full ? .full : .normal
        connection = try Connection.open(
            path, mode: .create, busyTimeout: Int32(clamping: configuration.deadline.milliseconds))
        try Migrator(.tokens, on: connection).refuseAnother()
        do {
            // Only a file without a page takes this setting.
            try connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            try connection.useWriteAheadLog(durability)
            FileMode.makePrivate(path)
            try connection.execute("PRAGMA journal_size_limit = \(64 << 20)")
        } catch { throw StoreError(error) }
        connection.takeOverCheckpoints()
        _ = try Migrator(.tokens, on: connection).migrate(at: configuration.now(), observer: onMigration)
        do {
            if let pages = configuration.maximumPages {
                try connection.execute("PRAGMA max_page_count = \(pages)")
            }
            insert = try connection.statement(
                "INSERT OR REPLACE INTO tokens (expires_at, jti, issued_at) VALUES (?, ?, ?)")
            delete = try connection.statement("DELETE FROM tokens WHERE expires_at = ? AND jti = ?")
        } catch { throw StoreError(error) }
        connection.noteSideFiles()
        identity = FileIdentity(path: path)
    }

    /// Whether the path still names this file.
    var isInPlace: Bool { identity != nil && identity == FileIdentity(path: connection.path) }

    /// Why it has to be opened anew though it is in place: a file beside it is not.
    var lossOfSideFile: SQLiteError? { connection.lossOfSideFile() }

    /// Makes ready for being let go after such a loss.
    func giveUp() { connection.giveUpSideFiles() }

    /// Does all of these in one transaction.
    func commit(_ operations: [TokenOperation]) throws(SQLiteError) {
        try connection.transaction { () throws(SQLiteError) in
            for operation in operations { try apply(operation) }
        }
    }

    private func apply(_ operation: TokenOperation) throws(SQLiteError) {
        switch operation {
        case .record(let token):
            try insert.bind(token.expiresAt, at: 1)
            try insert.bind(token.tokenID.value, at: 2)
            try insert.bind(token.issuedAtMilliseconds, at: 3)
            _ = try insert.step()
        case .revoke(let id, let end?):
            try delete.bind(end, at: 1)
            try delete.bind(id.value, at: 2)
            _ = try delete.step()
        case .revoke(let id, nil):
            try connection.run(
                "DELETE FROM tokens WHERE \(TokenSearch.byID)", [.text(id.value)])
        case .revokeAll(let client, let moment, let keepUntil):
            try connection.run(
                """
                INSERT INTO client_revocations (client_id, revoked_at, keep_until) VALUES (?, ?, ?)
                ON CONFLICT (client_id) DO UPDATE SET revoked_at = max(revoked_at, excluded.revoked_at),
                    keep_until = max(keep_until, excluded.keep_until)
                """, [.text(client.value), .integer(moment), .integer(keepUntil)])
        case .ping: break
        }
    }

    // MARK: Housekeeping

    /// Deletes what expired, up to a number of rows, without waiting for the disk: it would only be deleted again.
    /// - Returns: how many rows it deleted.
    func purge(limit: Int, at second: Int64) throws(SQLiteError) -> Int {
        // A prepared statement would not do: SQLite runs this one when it is prepared.
        try connection.execute("PRAGMA synchronous = NORMAL")
        defer { try? connection.execute("PRAGMA synchronous = \(durability.rawValue)") }
        return try connection.transaction { () throws(SQLiteError) in
            let last = try connection.first(
                "SELECT expires_at, jti FROM tokens WHERE expires_at <= ? ORDER BY expires_at, jti LIMIT 1 OFFSET ?",
                [.integer(second), .integer(Int64(limit) - 1)]
            ) { [SQLiteValue.integer($0.integer(0)), .text($0.text(1))] }
            if let last {
                return try connection.run("DELETE FROM tokens WHERE (expires_at, jti) <= (?, ?)", last)
            }
            return try connection.run("DELETE FROM tokens WHERE expires_at <= ?", [.integer(second)])
                + connection.run(
                    "DELETE FROM client_revocations WHERE keep_until <= ?", [.integer(second)])
        }
    }

    /// Copies the log into the database once it has grown, so that it starts anew.
    func checkpointIfLong() throws(SQLiteError) {
        if connection.pagesInLog > 1000 { try connection.checkpoint() }
    }

    /// Gives free pages back to the file system once they are many.
    /// - Returns: whether there may be more to give back.
    func shrink(pages: Int64) throws(SQLiteError) -> Bool {
        let free = try connection.first("PRAGMA freelist_count") { $0.integer(0) } ?? 0
        let all = try connection.first("PRAGMA page_count") { $0.integer(0) } ?? 0
        guard free > max(256, all / 4) else { return false }
        try connection.execute("PRAGMA incremental_vacuum(\(pages))")
        return true
    }
}

extension Duration {
    /// Whole milliseconds.
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
