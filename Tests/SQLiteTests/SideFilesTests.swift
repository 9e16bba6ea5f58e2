import Foundation
import Glibc
import SQLite
import TestSupport
import Testing

/// SQLite has one `-shm` file open for all connections of a process to a database.
@Suite("The -wal and -shm files of a database in use")
struct SideFilesTests {
    private let folder: TemporaryDirectory
    private var path: String { folder.file("a.db") }

    init() throws { folder = try TemporaryDirectory() }

    private func open(_ mode: Connection.Mode = .readWrite) throws -> Connection {
        let connection = try Connection(path: path, mode: mode)
        if mode == .create { try connection.useWriteAheadLog(.full) }
        _ = try connection.first("SELECT count(*) FROM sqlite_schema") { $0.integer(0) }
        connection.noteSideFiles()
        return connection
    }

    @Test("They are in place while others read, write and copy the log into the database")
    func inPlace() throws {
        let connection = try open(.create)
        try connection.execute("CREATE TABLE t (v INTEGER) STRICT")
        for _ in 0..<3 {
            let other = try open()
            try other.execute("INSERT INTO t VALUES (1)")
            other.emptyLog()
            #expect(connection.lossOfSideFile() == nil && other.lossOfSideFile() == nil)
        }
    }

    @Test(
        "Once one is lost, none is opened until all connections and statements of the process are gone",
        arguments: [["-wal"], ["-shm"], ["-shm", "-wal"]])
    func lost(files: [String]) throws {
        var first: Connection? = try open(.create)
        try first?.execute("CREATE TABLE t (v INTEGER) STRICT; INSERT INTO t VALUES (7)")
        var statement = try first?.statement("SELECT v FROM t")
        var second: Connection? = try open(.readOnly)
        for file in files { try #require(unlink(path + file) == 0) }
        for connection in [first, second] {
            let loss = try #require(connection?.lossOfSideFile())
            #expect(loss.message.hasPrefix("\(path)\(files[0]) was removed"))
        }
        second = nil
        first?.giveUpSideFiles()
        first = nil
        #expect(throws: SQLiteError.self) { try open() }
        withExtendedLifetime(statement) {}
        statement = nil
        let anew = try open()
        #expect(anew.lossOfSideFile() == nil)
        #expect(try anew.rows("SELECT v FROM t") { $0.integer(0) } == [7])
    }

    @Test("None is lost that SQLite removed itself, before a connection had anything open but the database")
    func removedInTime() throws {
        var first: Connection? = try open(.create)
        let second = try Connection(path: path, mode: .readWrite)
        withExtendedLifetime(first) {}
        first = nil
        // Those that are made now must not have the numbers of those that were.
        for name in ["x", "y"] {
            try #require(FileManager.default.createFile(atPath: folder.file(name), contents: nil))
        }
        _ = try second.first("SELECT count(*) FROM sqlite_schema") { $0.integer(0) }
        second.noteSideFiles()
        #expect(second.lossOfSideFile() == nil)
        #expect(try open().lossOfSideFile() == nil)
    }

    @Test("One that was replaced is lost")
    func replaced() throws {
        let connection = try open(.create)
        try Data().write(to: URL(filePath: path + "-other"))
        try #require(rename(path + "-other", path + "-shm") == 0)
        #expect(connection.lossOfSideFile() != nil)
        connection.giveUpSideFiles()
    }

    @Test(
        "A connection that is given up leaves alone what another process wrote that it does not know of",
        .enabled(if: access("/usr/bin/sqlite3", X_OK) == 0, "needs /usr/bin/sqlite3"))
    func givenUp() async throws {
        var connection: Connection? = try open(.create)
        try connection?.execute("CREATE TABLE t (v INTEGER) STRICT; INSERT INTO t VALUES (1)")
        try #require(unlink(path + "-shm") == 0)
        let other = try ChildProcess(
            ["sqlite3", path, "INSERT INTO t VALUES (2)"], logFile: folder.file("log"))
        #expect(try await other.waitForExit() == 0, "\(other.log)")
        connection?.giveUpSideFiles()
        connection = nil
        #expect(try open().rows("SELECT v FROM t ORDER BY v") { $0.integer(0) } == [1, 2])
    }
}
