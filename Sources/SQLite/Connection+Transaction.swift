extension Connection {
    /// Which lock a transaction begins with.
    public enum TransactionKind: String, Sendable, Hashable {
        /// Takes the write lock at once, so that it cannot fail half way for a lock that came too late.
        case immediate = "BEGIN IMMEDIATE"
        /// One unchanging view of the database for several reads.
        case deferred = "BEGIN DEFERRED"
    }

    /// Runs `body` in a transaction: committed when it returns, undone when it throws.
    public func transaction<Result>(
        _ kind: TransactionKind = .immediate, _ body: () throws(SQLiteError) -> Result
    ) throws(SQLiteError) -> Result {
        try transaction(kind, failure: { $0 }, body)
    }

    /// As `transaction(_:_:)` for a body with errors of its own.
    /// - Parameter failure: turns what SQLite says of the transaction itself into such an error.
    public func transaction<Result, Failure: Error>(
        _ kind: TransactionKind = .immediate, failure: (SQLiteError) -> Failure,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try attempt(kind.rawValue, failure)
        do {
            let result = try body()
            try attempt("COMMIT", failure)
            return result
        } catch {
            // SQLite has undone it already after some errors, such as a full disk.
            if isInTransaction { _ = try? run("ROLLBACK") }
            throw error
        }
    }

    private func attempt<Failure: Error>(
        _ sql: String, _ failure: (SQLiteError) -> Failure
    ) throws(Failure) {
        do { try run(sql) } catch { throw failure(error) }
    }
}
