internal import CSQLite
internal import Glibc
internal import OperatingSystem

/// What SQLite refused, with its result code and the statement; never the values that were bound to it.
public struct SQLiteError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The few kinds that callers tell apart.
    public enum Kind: Sendable, Hashable {
        /// Another connection holds a lock.
        case busy
        /// A uniqueness, foreign-key, check or not-null rule was broken.
        case constraint
        /// The file or its folder cannot be written.
        case readOnly
        /// No space is left, on the disk or under the configured limit.
        case full
        /// The file is no database, or is damaged.
        case corrupt
        /// The file cannot be opened: missing, or not permitted.
        case cannotOpen
        /// The process may not open another file.
        case noDescriptors
        /// The system failed to read, write or lock.
        case io
        /// Anything else: a fault of the statement or of its use.
        case other
    }

    /// What kind of failure this is.
    public let kind: Kind
    /// SQLite's extended result code (https://sqlite.org/rescode.html).
    public let code: Int32
    /// SQLite's message.
    public let message: String
    /// The statement, without its values; nil where there was none.
    public let sql: String?

    init(kind: Kind, code: Int32, message: String, sql: String?) {
        self.kind = kind
        self.code = code
        self.message = message
        self.sql = sql
    }

    /// - Parameter reason: why the system refused it, as in `errno`; 0 where it did not.
    init(code: Int32, message: String, sql: String?, reason: Int32 = 0) {
        self.init(kind: Self.kind(of: code, reason), code: code, message: message, sql: sql)
    }

    /// Takes the last error of a connection.
    init(code: Int32, database: OpaquePointer?, sql: String?) {
        let message = (database.map(sqlite3_errmsg) ?? sqlite3_errstr(code)).map { String(cString: $0) }
        self.init(
            code: code, message: message ?? "unknown error", sql: sql,
            reason: database.map(sqlite3_system_errno) ?? 0)
    }

    private static func kind(of code: Int32, _ reason: Int32) -> Kind {
        switch code & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
        case SQLITE_CONSTRAINT: .constraint
        case SQLITE_READONLY, SQLITE_PERM: .readOnly
        case SQLITE_FULL: .full
        case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
        case SQLITE_CANTOPEN: reason == EMFILE || reason == ENFILE ? .noDescriptors : .cannotOpen
        case SQLITE_IOERR: .io
        default: .other
        }
    }

    // The extended codes are macros that Swift does not see: UNIQUE, PRIMARYKEY and FOREIGNKEY.

    /// Whether a row with the same unique key was there already.
    public var isUniqueViolation: Bool {
        code == SQLITE_CONSTRAINT | 8 << 8 || code == SQLITE_CONSTRAINT | 6 << 8
    }

    /// Whether a foreign key pointed, or would point, to no row.
    public var isForeignKeyViolation: Bool { code == SQLITE_CONSTRAINT | 3 << 8 }

    /// What a person can do about it.
    public var advice: String? {
        switch kind {
        case .busy: "another process holds the database: wait for it, then try again"
        case .readOnly: "make the file and its folder writable for this user"
        case .full: "make space on the disk"
        case .corrupt: "check that this is the right file, or restore it from a backup"
        case .cannotOpen: "check that the file and its folder exist and may be read"
        case .noDescriptors: SystemError.noDescriptors.description
        case .io: "check the disk and the system's log"
        case .constraint, .other: nil
        }
    }

    /// The message, the code, the advice and the statement.
    public var description: String {
        var text = "SQLite: \(message) (code \(code))"
        if let advice { text += "; \(advice)" }
        if let sql { text += " [\(sql)]" }
        return text
    }
}
