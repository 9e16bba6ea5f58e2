import Foundation
import SQLite
import TestSupport
import Testing

@Suite struct ConnectionTests {
    private let folder: TemporaryDirectory
    private var path: String { folder.file("a.db") }

    init() throws { folder = try TemporaryDirectory() }

    private func open(_ mode: Connection.Mode = .create, busyTimeout: Int32 = 0) throws -> Connection {
        try Connection(path: path, mode: mode, busyTimeout: busyTimeout)
    }

    @Test("A database is made for its owner alone, with its -wal and -shm files, whatever the umask")
    func fileMode() throws {
        let connection = try open()
        try connection.useWriteAheadLog(.full)
        try connection.execute("CREATE TABLE t (v INTEGER) STRICT")
        for name in ["a.db", "a.db-wal", "a.db-shm"] { #expect(try folder.permissions(name) == 0o600) }
    }

    @Test("Permissions of group and others are taken away")
    func makePrivate() throws {
        _ = try open()
        try FileManager.default.setAttributes([.posixPermissions: 0o664], ofItemAtPath: path)
        FileMode.makePrivate(path)
        #expect(try folder.permissions("a.db") == 0o600)
    }

    @Test("A missing file is not made unless asked", arguments: [.readOnly, .readWrite] as [Connection.Mode])
    func missing(mode: Connection.Mode) {
        let error = #expect(throws: SQLiteError.self) { try open(mode) }
        #expect(error?.kind == .cannotOpen)
        #expect(error?.description.contains(path) == true)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("A missing folder is an error that names the file")
    func missingFolder() {
        let error = #expect(throws: SQLiteError.self) {
            try Connection(path: folder.file("no/such/a.db"), mode: .create)
        }
        #expect(error?.description.contains("no/such/a.db") == true)
    }

    @Test("A file that is no database is called that")
    func garbage() throws {
        try Data(repeating: 7, count: 5000).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: SQLiteError.self) {
            try open().first("SELECT count(*) FROM sqlite_schema") { $0.integer(0) }
        }
        #expect(error?.kind == .corrupt)
    }

    @Test("Foreign keys are enforced")
    func foreignKeys() throws {
        let connection = try open()
        try connection.execute(
            "CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT; CREATE TABLE b (a INTEGER REFERENCES a (id)) STRICT"
        )
        let error = #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO b VALUES (1)") }
        #expect(error?.isForeignKeyViolation == true)
    }

    @Test("The data version changes with another connection's commit, and with no commit of its own")
    func dataVersion() throws {
        let (reader, writer) = (try open(), try open())
        try writer.useWriteAheadLog(.full)
        try writer.execute("CREATE TABLE t (v INTEGER) STRICT")
        let before = try reader.dataVersion()
        #expect(try reader.dataVersion() == before)
        try writer.run("INSERT INTO t VALUES (1)")
        let after = try reader.dataVersion()
        #expect(after != before)
        try reader.run("INSERT INTO t VALUES (2)")
        #expect(try reader.dataVersion() == after)
    }

    @Test("As many pages are kept in memory as were asked for")
    func pageCache() throws {
        let connection = try Connection(path: ":memory:", mode: .create)
        try connection.setPageCache(kilobytes: 8000)
        #expect(try connection.first("PRAGMA cache_size") { $0.integer(0) } == -8000)
    }

    @Test("Reads go on while another connection writes")
    func readersDoNotWait() throws {
        let (reader, writer) = (try open(), try open())
        try writer.useWriteAheadLog(.full)
        try writer.execute("CREATE TABLE t (v INTEGER) STRICT; BEGIN IMMEDIATE; INSERT INTO t VALUES (1)")
        #expect(try reader.first("SELECT count(*) FROM t") { $0.integer(0) } == 0)
        try writer.execute("COMMIT")
        #expect(try reader.first("SELECT count(*) FROM t") { $0.integer(0) } == 1)
    }

    @Test("A second writer is told that the database is busy")
    func busy() throws {
        let (first, second) = (try open(), try open())
        try first.execute("CREATE TABLE t (v INTEGER) STRICT; BEGIN IMMEDIATE")
        let error = #expect(throws: SQLiteError.self) {
            try second.transaction { () throws(SQLiteError) in try second.run("INSERT INTO t VALUES (1)") }
        }
        #expect(error?.kind == .busy)
        #expect(error?.advice != nil)
    }

    @Test("A full database is an error with advice, and the transaction is undone")
    func full() throws {
        let connection = try open()
        try connection.execute("CREATE TABLE t (v BLOB) STRICT; PRAGMA max_page_count = 10")
        let error = #expect(throws: SQLiteError.self) {
            try connection.transaction { () throws(SQLiteError) in
                try connection.run("INSERT INTO t VALUES (zeroblob(10))")
                try connection.run("INSERT INTO t VALUES (zeroblob(100000))")
            }
        }
        #expect(error?.kind == .full)
        #expect(!connection.isInTransaction)
        #expect(try connection.first("SELECT count(*) FROM t") { $0.integer(0) } == 0)
    }
}
