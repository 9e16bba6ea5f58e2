internal import CSQLite

/// A connection to one SQLite database, confined to one thread at a time.
///
/// It is not `Sendable`: hand it to its thread before use. Prepared statements are kept for its life, so the
/// texts of statements must be constants, with placeholders for what varies.
public final class Connection {
    /// How the file is opened.
    public enum Mode: Sendable, Hashable {
        /// Only for reading. A database in WAL mode still needs a folder where its `-shm` file can be made.
        case readOnly
        /// For reading and writing a file that is there.
        case readWrite
        /// As `readWrite`; a file that is not there is made, readable and writable for its owner alone.
        case create
    }

    /// How much of a commit survives a loss of power.
    public enum Synchronous: String, Sendable, Hashable {
        /// A commit is on the disk when it returns.
        case full = "FULL"
        /// The database stays whole, but in WAL mode the last commits may be lost.
        case normal = "NORMAL"
    }

    /// The path as given.
    public let path: String
    let handle: OpaquePointer
    /// nil for a database in memory.
    let sideFiles: SideFiles?
    private var statements: [StatementText: Statement] = [:]
    private var keptDataVersionStatement: Statement?
    private var busyTimeout: Int32
    /// Whether nothing can be changed through it.
    public let isReadOnly: Bool
    /// How many pages the write-ahead log held after this connection's last commit; counted once
    /// `takeOverCheckpoints()` was called.
    public private(set) var pagesInLog: Int32 = 0

    /// Opens a database, with foreign keys on.
    /// - Parameters:
    ///   - path: the file, or `:memory:` for a database that ends with the connection.
    ///   - mode: how to open it.
    ///   - busyTimeout: milliseconds to wait for another connection's lock.
    public init(path: String, mode: Mode, busyTimeout: Int32 = 5000) throws(SQLiteError) {
        if path != ":memory:" { try FileMode.requireRegularFile(path) }
        if mode == .create { try FileMode.createPrivate(path) }
        var handle: OpaquePointer?
        let flags =
            (mode == .readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE)
            | (path == ":memory:" ? SQLITE_OPEN_CREATE : 0) | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            let error = SQLiteError(code: code, database: handle, sql: nil)
            sqlite3_close_v2(handle)
            throw error.at(path)
        }
        sideFiles = try sqlite3_db_filename(handle, "main").flatMap { name throws(SQLiteError) in
            try SideFiles(of: handle, at: String(cString: name))
        }
        self.path = path
        self.handle = handle
        isReadOnly = mode == .readOnly
        self.busyTimeout = busyTimeout
        sqlite3_busy_timeout(handle, busyTimeout)
        try execute("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF")
    }

    /// Statements that someone else still keeps stay valid until they are released.
    deinit { if sideFiles == nil { sqlite3_close_v2(handle) } }

    /// Tells SQLite not to count the memory that it takes, which costs a lock of the process each time. For an
    /// executable: to be called before anything uses SQLite, and it holds for the whole process.
    public static func forgoMemoryStatistics() {
        _ = csqlite_forgo_memory_statistics()
    }

    /// Keeps changes in a write-ahead log, so that readers and the writer do not wait for each other.
    /// - Parameter synchronous: how much of a commit survives a loss of power.
    public func useWriteAheadLog(_ synchronous: Synchronous) throws(SQLiteError) {
        let mode = try waitingForOthers { () throws(SQLiteError) in
            try first("PRAGMA journal_mode = WAL") { $0.text(0) }
        }
        guard mode == "wal" || path == ":memory:" else {
            throw SQLiteError(
                code: SQLITE_CANTOPEN, message: "the file system of \(path) has no write-ahead log", sql: nil)
        }
        try execute("PRAGMA synchronous = \(synchronous.rawValue)")
    }

    /// Tries again, for as long as it would wait for a lock, what SQLite refuses at once while another connection
    /// holds one: two that change the journal of a new file at once must not wait for each other.
    private func waitingForOthers<Result>(
        _ body: () throws(SQLiteError) -> Result
    ) throws(SQLiteError) -> Result {
        let end = ContinuousClock.now + .milliseconds(Int64(busyTimeout))
        while true {
            do throws(SQLiteError) {
                return try body()
            } catch  where error.kind == .busy && ContinuousClock.now < end {
                // Not all at the same moments.
                sqlite3_sleep(Int32.random(in: 2...10))
            }
        }
    }

    /// Copies the write-ahead log into the database only when `checkpoint()` is called, instead of within every
    /// so many-th commit, which somebody waits for.
    public func takeOverCheckpoints() {
        sqlite3_wal_hook(
            handle,
            { context, _, _, pages in
                guard let context else { return SQLITE_OK }
                Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().pagesInLog = pages
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Copies what it can of the write-ahead log into the database, without waiting for readers.
    public func checkpoint() throws(SQLiteError) {
        try run("PRAGMA wal_checkpoint(PASSIVE)")
        pagesInLog = 0
    }

    /// Copies the whole write-ahead log into the database and empties it, where no reader is in the way: a database
    /// file that is then copied or replaced has no log beside it that belongs to another.
    public func emptyLog() {
        _ = try? run("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// How much of the file is kept in memory at most, once it was read; 2,000 kilobytes unless this is called.
    public func setPageCache(kilobytes: Int) throws(SQLiteError) {
        try execute("PRAGMA cache_size = -\(kilobytes)")
    }

    /// Milliseconds to wait for another connection's lock from now on.
    public func setBusyTimeout(_ milliseconds: Int32) {
        busyTimeout = milliseconds
        sqlite3_busy_timeout(handle, milliseconds)
    }

    // MARK: Statements

    /// A statement that is prepared once; fresh when the kept one is still running.
    public func statement(_ sql: String) throws(SQLiteError) -> Statement {
        let text = StatementText(sql: sql)
        if let kept = statements[text], !kept.isRunning { return kept }
        let statement = try Statement(database: handle, sideFiles: sideFiles, sql: sql)
        statements[text] = statement
        return statement
    }

    /// Runs a statement that answers no rows.
    /// - Returns: how many rows it inserted, updated or deleted.
    @discardableResult
    public func run(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> Int {
        let statement = try statement(sql)
        defer { statement.clear() }
        try statement.bind(values)
        while try statement.step() {}
        return Int(sqlite3_changes64(handle))
    }

    /// The rows of a statement, each made by `body`.
    public func rows<Element>(
        _ sql: String, _ values: [SQLiteValue] = [], body: (Statement) -> Element
    ) throws(SQLiteError) -> [Element] {
        let statement = try statement(sql)
        defer { statement.clear() }
        try statement.bind(values)
        var elements: [Element] = []
        while try statement.step() { elements.append(body(statement)) }
        return elements
    }

    /// The first row of a statement, made by `body`; nil when there is none.
    public func first<Element>(
        _ sql: String, _ values: [SQLiteValue] = [], body: (Statement) -> Element
    ) throws(SQLiteError) -> Element? {
        let statement = try statement(sql)
        defer { statement.clear() }
        try statement.bind(values)
        guard try statement.step() else { return nil }
        defer { statement.reset() }
        return body(statement)
    }

    /// Runs a script of several statements, answering nothing.
    public func execute(_ script: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, script, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code: code, database: handle, sql: script) }
    }

    /// The row id of the last insertion.
    public var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Whether a transaction is open.
    public var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// A number that changes when another connection has changed the database.
    public func dataVersion() throws(SQLiteError) -> Int64 {
        let statement = try dataVersionStatement()
        _ = try statement.step()
        defer { statement.reset() }
        return statement.integer(0)
    }

    private func dataVersionStatement() throws(SQLiteError) -> Statement {
        if let keptDataVersionStatement { return keptDataVersionStatement }
        let statement = try Statement(
            database: handle, sideFiles: sideFiles, sql: "PRAGMA data_version")
        keptDataVersionStatement = statement
        return statement
    }
}

/// The text of a kept statement. Its length is hash enough for some tens of constants, and comparing a constant with
/// itself does not look at its bytes: hashing hundreds of them would take longer than a small statement does.
private struct StatementText: Hashable {
    let sql: String

    func hash(into hasher: inout Hasher) { hasher.combine(sql.utf8.count) }
}

extension SQLiteError {
    /// The same error, naming the file.
    fileprivate func at(_ path: String) -> SQLiteError {
        SQLiteError(kind: kind, code: code, message: "\(path): \(message)", sql: sql)
    }
}
