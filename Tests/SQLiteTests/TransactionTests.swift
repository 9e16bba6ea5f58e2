import SQLite
import Testing

@Suite struct TransactionTests {
    private struct Refusal: Error, Equatable {}
    private let connection: Connection

    init() throws {
        connection = try Connection(path: ":memory:", mode: .create)
        try connection.execute("CREATE TABLE t (v INTEGER) STRICT")
    }

    private func count() throws -> Int64? {
        try connection.first("SELECT count(*) FROM t") { $0.integer(0) }
    }

    @Test("A transaction that returns is committed")
    func commit() throws {
        let changed = try connection.transaction { () throws(SQLiteError) in
            try connection.run("INSERT INTO t VALUES (1), (2)")
        }
        #expect(changed == 2)
        #expect(try count() == 2)
        #expect(!connection.isInTransaction)
    }

    @Test("A transaction that throws an error of its own is undone, and the error is what is thrown")
    func rollback() throws {
        #expect(throws: Refusal()) {
            try connection.transaction(failure: { _ in Refusal() }) { () throws(Refusal) in
                _ = try? connection.run("INSERT INTO t VALUES (1)")
                throw Refusal()
            }
        }
        #expect(try count() == 0)
        #expect(!connection.isInTransaction)
    }

    @Test("A transaction within a transaction is refused, and the outer one goes on")
    func nested() throws {
        try connection.execute("BEGIN")
        #expect(throws: SQLiteError.self) { try connection.transaction { () throws(SQLiteError) in } }
        try connection.execute("INSERT INTO t VALUES (1)")
        try connection.execute("COMMIT")
        #expect(try count() == 1)
    }
}
