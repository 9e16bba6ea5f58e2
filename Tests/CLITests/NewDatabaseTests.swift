import Glibc
import TestSupport
import Testing

@Suite("A database that several processes make at once", .serialized)
struct NewDatabaseTests {
    @Test(
        "Sixteen processes that change a new file at once all succeed, and one of them makes it",
        arguments: 1...3)
    func atOnce(round: Int) async throws {
        let session = try ShellSession()
        let outcome = try await session.run(
            """
            for number in $(seq 16); do
                (authserver resource add R$number --scopes read >/dev/null || echo "exit $?" >&2) &
            done
            wait
            authserver resource list | wc -l
            """)
        #expect(outcome.output == ["16"], "\(outcome)")
        #expect(outcome.messages.count == 1, "\(outcome)")
        #expect(outcome.messages.first?.hasPrefix("created the database ") == true, "\(outcome)")
    }

    @Test("The first resource can be added while the server starts on a new file", arguments: 1...20)
    func besideServer(round: Int) async throws {
        let session = try ShellSession()
        let outcome = try await session.run(
            """
            authserver serve --listen 127.0.0.1:0 --log-format text 2>log &
            server=$!
            authserver resource add RESOURCE_ID_BOOK --scopes read,write >/dev/null 2>messages
            echo "exit $?" && grep -v '^created the database ' messages
            for wait in $(seq 200); do grep -q 'listening on' log && break; sleep 0.05; done
            kill -TERM $server; wait $server; echo "server $?"
            grep -q 'listening on' log || cat log
            """)
        #expect(outcome.output == ["exit 0", "server 0"], "\(outcome)")
    }

    @Test("A start names both files from the root on: whoever reads the log was not in its folder")
    func announced() async throws {
        let outcome = try await ShellSession().run(
            """
            mkdir 'a folder' && cd 'a folder'
            authserver serve --listen 127.0.0.1:0 --log-format text 2>../log &
            for wait in $(seq 200); do grep -q 'listening on' ../log && break; sleep 0.05; done
            kill -TERM $!; wait $!
            sed -n "s|.*, clients in $PWD/\\(.*\\), tokens in $PWD/|\\1 |p" ../log
            """)
        #expect(outcome.output == ["authserver.db authserver.db-tokens"], "\(outcome)")
    }

    @Test(
        "What an older version made is refused with the command that brings it up to date, as a shell takes it",
        .enabled(if: access("/usr/bin/sqlite3", X_OK) == 0))
    func olderDatabase() async throws {
        let session = try ShellSession()
        let refused = try await session.run(
            """
            mkdir 'a folder' && cd 'a folder' && authserver migrate >/dev/null
            # As if the last migration had not been applied.
            sqlite3 authserver.db "DELETE FROM schema_migrations WHERE number = (SELECT max(number) FROM schema_migrations)"
            authserver client list
            """)
        #expect(refused.status == 1 && refused.messages.count == 2, "\(refused)")
        #expect(refused.messages.first?.hasPrefix("authserver: authserver.db needs 00") == true, "\(refused)")
        let hint = refused.messages.last ?? ""
        #expect(hint.hasPrefix("hint: run: authserver migrate --database '/"), "\(refused)")
        #expect(hint.hasSuffix("/a folder/authserver.db'"), "\(refused)")
    }

    @Test(
        "A database of something else is not asked to be migrated",
        .enabled(if: access("/usr/bin/sqlite3", X_OK) == 0),
        arguments: ["client list", "client disable gateway", "resource add R --scopes read", "migrate"])
    func another(line: String) async throws {
        let session = try ShellSession()
        let refused = try await session.run(
            "sqlite3 theirs.db 'CREATE TABLE theirs (v)'; authserver \(line) --database theirs.db")
        #expect(refused.status == 1)
        #expect(
            refused.messages == [
                "authserver: theirs.db is a database, but no registry of authserver",
                "hint: name another file",
            ])
    }

    @Test(
        "A damaged database is said in one line without SQL, and with a hint",
        .enabled(if: access("/usr/bin/sqlite3", X_OK) == 0), arguments: ["list", "show c"])
    func damaged(line: String) async throws {
        let session = try ShellSession()
        let refused = try await session.run(
            """
            authserver client add c >/dev/null 2>&1; sqlite3 authserver.db 'DROP TABLE grants'
            authserver client \(line)
            """)
        #expect(refused.status == 1)
        #expect(
            refused.messages == [
                "authserver: SQLite refused it: no such table: grants (code 1)",
                "hint: the database is not as this version made it: restore it from a backup, or name another file",
            ])
    }

    @Test("An empty file is no database yet: what reads or changes it says so, what makes one fills it")
    func empty() async throws {
        let session = try ShellSession()
        let reading = try await session.run(": >authserver.db; authserver resource list")
        #expect(reading.status == 1 && reading.messages.first?.contains("there is no database") == true)
        let changing = try await session.run("authserver client disable gateway")
        #expect(changing.status == 1 && changing.messages.first?.contains("there is no database") == true)
        let adding = try await session.run("authserver resource add R --scopes read >/dev/null")
        #expect(adding.status == 0, "\(adding)")
    }
}
