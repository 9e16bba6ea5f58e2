import AuthStore
import JOSE
import SQLite
import TestSupport
import Testing

@testable import AuthServer

@Suite("The history command")
struct HistoryCommandTests {
    @Test("On a terminal it is a table")
    func table() async throws {
        var place = try Workplace(isTerminal: true)
        place.program.environment["SUDO_UID"] = "4242"
        place.program.environment["SUDO_USER"] = "alice"
        try await place.run("resource add RESOURCE_ID_BOOK --scopes read")
        let lines = try await place.run("history --resource RESOURCE_ID_BOOK").output.split(separator: "\n")
        try #require(lines.count == 2)
        #expect(lines[0].hasPrefix("NUMBER  TIME                  WHO "))
        #expect(lines[0].contains("  WHAT          OBJECT            DETAIL"))
        #expect(lines[1].hasPrefix("2       2027-01-15T08:00:00Z  "))
        #expect(
            lines[1].contains(", by sudo of alice (uid 4242)  resource.add  RESOURCE_ID_BOOK  scopes=read"))
    }

    @Test(
        "A time is so long ago, or a moment in UTC",
        arguments: [
            ("1h", 1), ("2027-01-15T07:59:59Z", 1), ("2027-01-15T08:00:01Z", 0), ("2027-01-15", 1), ("0", 1),
        ])
    func since(time: String, count: Int) async throws {
        let place = try Workplace()
        let changes = try await place.document("history --since \(time)")["changes"]?.array
        #expect(changes?.count == count)
    }

    @Test("What another program wrote there is shown as it is, and does nothing to the terminal")
    func strange() async throws {
        let place = try Workplace()
        let connection = try Connection(path: place.directory.file("registry.db"), mode: .readWrite)
        try connection.execute(
            """
            INSERT INTO changes (number, change_set, what, client_id, detail)
            VALUES (7, 999, 'x' || char(27) || '[31m', char(10), 'no JSON')
            """)
        let outcome = try await place.run("history --limit 1")
        #expect(outcome.output == "7\t1970-01-01T00:00:00Z\t-\tx\\u{1b}[31m\t\\u{a}\tno JSON\n")
        let change = try await place.document("history")["changes"]?.array?.last?.object
        #expect(change?["detail"] == "no JSON" && change?["who"] == "")
    }

    @Test("A token that cannot be told of is given to nobody; one that is ended has ended")
    func unrecorded() async throws {
        let place = try Workplace()
        try await place.run("resource add RESOURCE_ID_BOOK --scopes read")
        try await place.run("client add gateway --grant RESOURCE_ID_BOOK=read")
        try await place.run("key rotate")
        let token = try await place.run("token issue --client gateway").output
        let connection = try Connection(path: place.directory.file("registry.db"), mode: .readWrite)
        try connection.execute(
            "CREATE TRIGGER full BEFORE INSERT ON changes BEGIN SELECT RAISE(ABORT, 'no more'); END")
        let issue = await place.attempt("token issue --client gateway")
        #expect(issue.exitCode == .failed && issue.output.isEmpty)
        let revocation = try await place.run("token revoke -", input: token)
        #expect(revocation.messages.contains("is not active any more"))
        #expect(
            revocation.messages.contains(
                "warning: the history does not tell of it: SQLite refused it: no more"))
        #expect(await place.attempt("token inspect -", input: token).exitCode == .failed)
    }

    @Test("A registry that lacks the migration says so, with the command that helps")
    func notMigrated() async throws {
        let place = try Workplace()
        let connection = try Connection(path: place.directory.file("registry.db"), mode: .readWrite)
        try connection.execute(
            "DROP TABLE changes; DROP TABLE change_sets; DELETE FROM schema_migrations WHERE number = 4")
        let outcome = await place.attempt("history")
        #expect(outcome.exitCode == .failed)
        #expect(outcome.messages.contains("needs 0004_changes.sql"))
        #expect(outcome.messages.contains("authserver migrate"))
        try await place.run("migrate")
        let changes = try await place.document("history")["changes"]?.array
        #expect(changes?.compactMap { $0.object?["what"] } == ["registry.migrate"])
    }
}
