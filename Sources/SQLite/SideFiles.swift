internal import CSQLite
internal import Synchronization

/// One use of a database by this process, with the `-wal` and `-shm` files beside it: a connection of SQLite, which is
/// closed when this object and with it the connection's last statement is let go.
///
/// SQLite maps one `-shm` file for all connections of a process to a database, until the last of them is closed. Where
/// somebody removes or replaces it, or the `-wal`, other processes use the new one, and neither sees what the other
/// commits. Then all connections of this process have to be closed before one is opened: so they are counted, each
/// until it and its statements are gone.
final class SideFiles {
    /// The files of both kinds at one moment; nil where there is none.
    private struct Pair: Equatable {
        let log: FileIdentity?
        let index: FileIdentity?

        init(besides path: String) {
            log = FileIdentity(path: path + "-wal")
            index = FileIdentity(path: path + "-shm")
        }
    }

    private struct Users {
        var count = 0
        /// What they have open, once one of them has noted it.
        var files: Pair?
    }

    private static let users = Mutex<[FileIdentity: Users]>([:])

    private let database: FileIdentity
    private let path: String
    private let handle: OpaquePointer

    /// Counts a connection that has not read anything yet, and takes it over.
    /// - Parameters:
    ///   - handle: the connection, which is closed also when this throws, but not where nothing is returned.
    ///   - path: the database, as SQLite names it.
    /// - Returns: nil where no file is there.
    /// - Throws: when connections of this process have files open that are not beside the database any more.
    init?(of handle: OpaquePointer, at path: String) throws(SQLiteError) {
        guard let database = FileIdentity(path: path) else { return nil }
        (self.database, self.path, self.handle) = (database, path, handle)
        let present = Pair(besides: path)
        let loss = Self.users.withLock { users -> String? in
            let known = users[database]?.files
            users[database, default: Users()].count += 1
            return known.flatMap { Self.lost(of: $0, at: present, path) }
        }
        // What was counted is let go with this object.
        if let loss { throw .lost(loss) }
    }

    /// Closed and counted in one: a file that is made in between, on another thread, may get the number of the one that
    /// was just closed, and would be taken for it.
    deinit {
        Self.users.withLock { users in
            sqlite3_close_v2(handle)
            users[database]?.count -= 1
            if users[database]?.count == 0 { users[database] = nil }
        }
    }

    /// Notes which files are open, unless another connection of the process did that is still open: when the last of
    /// them is closed, SQLite may remove the files before this one has opened them.
    func note() {
        let present = Pair(besides: path)
        Self.users.withLock { users in
            guard let known = users[database], known.files == nil || known.count == 1 else { return }
            users[database]?.files = present
        }
    }

    /// The file that is not the one any more which this process has open.
    func lost() -> String? {
        let present = Pair(besides: path)
        return Self.users.withLock { users in
            users[database]?.files.flatMap { Self.lost(of: $0, at: present, path) }
        }
    }

    /// Whether the log that this process has open is lost, and nobody else has begun another one since.
    var hasOnlyLog: Bool {
        let present = Pair(besides: path)
        guard let files = Self.users.withLock({ $0[database]?.files }) else { return false }
        return files.log != present.log && (present.index == nil || files.index == present.index)
    }

    private static func lost(of files: Pair, at present: Pair, _ path: String) -> String? {
        if files.index != present.index { return path + "-shm" }
        return files.log == present.log ? nil : path + "-wal"
    }
}

extension Connection {
    /// Notes which `-wal` and `-shm` files are open; to be called once something was read, which opens them.
    public func noteSideFiles() { sideFiles?.note() }

    /// Why this connection, and all others of this process to the database, must be closed: one of the two files was
    /// removed or replaced. To be asked now and then: it is two calls of the system.
    public func lossOfSideFile() -> SQLiteError? { sideFiles?.lost().map { .lost($0) } }

    /// To be called before a connection for writing is closed whose `-wal` or `-shm` file is lost. What is in a log that
    /// was removed is copied into the database; a `-shm` file that is another knows what this one does not, which
    /// must not be gone by when the connection is closed.
    public func giveUpSideFiles() {
        if sideFiles?.hasOnlyLog == true {
            setBusyTimeout(100)
            emptyLog()
        }
        _ = csqlite_forgo_last_checkpoint(handle)
    }
}

extension SQLiteError {
    fileprivate static func lost(_ file: String) -> SQLiteError {
        SQLiteError(
            // Of all codes the nearest: SQLITE_READONLY_DBMOVED.
            kind: .other, code: SQLITE_READONLY | 4 << 8,
            message: "\(file) was removed or replaced while the server has it open, which now opens it anew; "
                + "leave the -wal and -shm files of a running server alone", sql: nil)
    }
}
