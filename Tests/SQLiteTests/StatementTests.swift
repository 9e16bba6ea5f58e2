import SQLite
import Testing

@Suite struct StatementTests {
    private let connection: Connection

    init() throws {
        connection = try Connection(path: ":memory:", mode: .create)
        try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v ANY) STRICT")
    }

    @Test(
        "What is bound comes back",
        arguments: [
            .null, .integer(.min), .integer(.max), .integer(0), .real(1.5), .text(""), .text("a\0b§ü"),
            .blob([]),
            .blob([0, 255, 0]),
        ] as [SQLiteValue])
    func roundTrip(value: SQLiteValue) throws {
        try connection.run("INSERT INTO t (v) VALUES (?)", [value])
        let back = try connection.first("SELECT v, typeof(v) FROM t") { row -> SQLiteValue in
            switch row.text(1) {
            case "integer": .integer(row.integer(0))
            case "real": .real(row.real(0))
            case "text": .text(row.text(0))
            case "blob": .blob(row.blob(0))
            default: .null
            }
        }
        #expect(back == value)
    }

    @Test("NULL reads as zero, empty or nil")
    func null() throws {
        let row = try connection.first("SELECT NULL") { row in
            (row.integer(0), row.text(0), row.blob(0), row.optionalInteger(0), row.optionalText(0))
        }
        let (integer, text, blob, optionalInteger, optionalText) = try #require(row)
        #expect(integer == 0 && text.isEmpty && blob.isEmpty)
        #expect(optionalInteger == nil && optionalText == nil)
    }

    @Test("A number of values that is not the number of placeholders is refused, not padded with NULL")
    func wrongCount() {
        #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO t (v) VALUES (?)", []) }
        #expect(throws: SQLiteError.self) {
            try connection.run("INSERT INTO t (v) VALUES (?)", [.integer(1), .integer(2)])
        }
    }

    @Test("A statement can be used while it is still running, as in a recursion")
    func recursion() throws {
        for value in 1...3 { try connection.run("INSERT INTO t (v) VALUES (?)", [.integer(Int64(value))]) }
        let counts = try connection.rows("SELECT v FROM t") { _ in
            (try? connection.rows("SELECT v FROM t") { $0.integer(0) })?.count
        }
        #expect(counts == [3, 3, 3])
    }

    @Test("A statement works again after it failed")
    func afterFailure() throws {
        let insert = "INSERT INTO t (id, v) VALUES (?, 1)"
        try connection.run(insert, [.integer(1)])
        let error = #expect(throws: SQLiteError.self) { try connection.run(insert, [.integer(1)]) }
        #expect(error?.kind == .constraint)
        #expect(error?.isUniqueViolation == true)
        #expect(try connection.run(insert, [.integer(2)]) == 1)
    }

    @Test("An error names the statement and never the values")
    func errorText() throws {
        try connection.execute("CREATE TABLE s (secret TEXT CHECK (length(secret) < 3)) STRICT")
        let error = #expect(throws: SQLiteError.self) {
            try connection.run("INSERT INTO s VALUES (?)", [.text("hunter22")])
        }
        let text = try #require(error?.description)
        #expect(text.contains("INSERT INTO s") && !text.contains("hunter22"))
    }

    @Test("A statement of nothing is an error, not a crash")
    func emptyStatement() {
        #expect(throws: SQLiteError.self) { try connection.run("") }
        #expect(throws: SQLiteError.self) { try connection.run("-- comment") }
    }
}
