internal import CSQLite

/// A prepared statement, kept for the life of its connection and confined to its thread.
///
/// Placeholders and columns count as SQLite counts them: placeholders from 1, columns from 0.
public final class Statement {
    private let handle: OpaquePointer
    private let sql: String
    /// A connection is not closed before its statements are let go.
    private let sideFiles: SideFiles?

    init(database: OpaquePointer?, sideFiles: SideFiles?, sql: String) throws(SQLiteError) {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code: code, database: database, sql: sql) }
        guard let handle else { throw SQLiteError(code: SQLITE_MISUSE, message: "empty statement", sql: sql) }
        self.handle = handle
        self.sql = sql
        self.sideFiles = sideFiles
    }

    deinit { sqlite3_finalize(handle) }

    /// Whether it was stepped and neither came to its end nor was reset.
    var isRunning: Bool { sqlite3_stmt_busy(handle) != 0 }

    // MARK: Binding

    /// Binds an integer.
    public func bind(_ value: Int64, at index: Int32) throws(SQLiteError) {
        try check(sqlite3_bind_int64(handle, index, value))
    }

    /// Binds a text.
    public func bind(_ value: String, at index: Int32) throws(SQLiteError) {
        guard !value.isEmpty else {
            // An empty buffer may have no address, which SQLite would take as NULL.
            return try check(sqlite3_bind_text(handle, index, "", 0, transient))
        }
        var value = value
        let code = value.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                sqlite3_bind_text(handle, index, $0.baseAddress, Int32(clamping: $0.count), transient)
            }
        }
        try check(code)
    }

    /// Binds bytes.
    public func bind(_ value: Span<UInt8>, at index: Int32) throws(SQLiteError) {
        let code = value.withUnsafeBytes { bytes in
            bytes.isEmpty
                ? sqlite3_bind_zeroblob(handle, index, 0)
                : sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(clamping: bytes.count), transient)
        }
        try check(code)
    }

    /// Binds any value.
    public func bind(_ value: SQLiteValue, at index: Int32) throws(SQLiteError) {
        switch value {
        case .null: try check(sqlite3_bind_null(handle, index))
        case .integer(let value): try bind(value, at: index)
        case .real(let value): try check(sqlite3_bind_double(handle, index, value))
        case .text(let value): try bind(value, at: index)
        case .blob(let value): try bind(value.span, at: index)
        }
    }

    /// Binds values to the placeholders from the first on; there must be as many.
    public func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
        guard values.count == sqlite3_bind_parameter_count(handle) else {
            throw SQLiteError(
                code: SQLITE_RANGE, message: "\(values.count) values for another number of placeholders",
                sql: sql)
        }
        for (offset, value) in values.enumerated() { try bind(value, at: Int32(offset + 1)) }
    }

    // MARK: Running

    /// Goes to the next row; false at the end, and then it can be bound anew.
    public func step() throws(SQLiteError) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        guard code == SQLITE_DONE else {
            let error = SQLiteError(code: code, database: sqlite3_db_handle(handle), sql: sql)
            reset()
            throw error
        }
        sqlite3_reset(handle)
        return false
    }

    /// Goes back to the start, ending a read that it holds open; bound values stay.
    public func reset() {
        sqlite3_reset(handle)
    }

    /// Forgets the bound values, so that a kept statement does not keep them.
    public func clear() {
        sqlite3_clear_bindings(handle)
    }

    // MARK: Columns of the present row

    /// The integer in a column; 0 for `NULL`.
    public func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// The real number in a column; 0 for `NULL`.
    public func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    /// The text in a column; empty for `NULL`.
    public func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(handle, column) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The bytes in a column; none for `NULL`.
    public func blob(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(handle, column) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    /// Whether a column is `NULL`.
    public func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// The integer in a column; nil for `NULL`.
    public func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    /// The text in a column; nil for `NULL`.
    public func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    private func check(_ code: Int32) throws(SQLiteError) {
        guard code == SQLITE_OK else {
            throw SQLiteError(code: code, database: sqlite3_db_handle(handle), sql: sql)
        }
    }
}

/// Tells SQLite to copy what is bound before the call returns.
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
