import Glibc
import OperatingSystem
import TestSupport
import Testing

@testable import AuthServer

@Suite("A database that several processes make at once", .serialized)
struct NewDatabaseTests {
    @Test("Of sixteen processes that make a new file at once all succeed, and one makes it", arguments: 1...3)
    func atOnce(round: Int) async throws {
        let session = try ShellSession()
        let outcome = try await session.run(
            """
            for number in $(seq 16); do
                (authserver migrate && authserver resource add R$number --scopes read >/dev/null) &
            done
            wait
            authserver resource list | wc -l
            """)
        #expect(outcome.output.filter { $0 == "applied 0001_registry.sql" }.count == 1, "\(outcome)")
        #expect(outcome.output.last == "16", "\(outcome)")
        #expect(outcome.messages == Array(repeating: "the database is up to date", count: 15), "\(outcome)")
    }

    @Test("A new file can be made, and used, while the server starts on it", arguments: 1...20)
    func besideServer(round: Int) async throws {
        let session = try ShellSession()
        let outcome = try await session.run(
            """
            authserver serve --listen 127.0.0.1:0 --log-format text 2>log &
            server=$!
            authserver migrate >/dev/null 2>&1 && authserver resource add RESOURCE_ID_BOOK --scopes read >/dev/null
            echo "exit $?"
            for wait in $(seq 200); do grep -q 'listening on' log && break; sleep 0.05; done
            kill -TERM $server; wait $server; echo "server $?"
            grep -q 'listening on' log || cat log
            """)
        #expect(outcome.output == ["exit 0", "server 0"], "\(outcome)")
    }

    @Test(
        "A start names its version, and both files from the root on: whoever reads the log was not in its folder"
    )
    func announced() async throws {
        let outcome = try await ShellSession().run(
            """
            mkdir 'a folder' && cd 'a folder'
            authserver serve --listen 127.0.0.1:0 --log-format text 2>../log &
            for wait in $(seq 200); do grep -q 'listening on' ../log && break; sleep 0.05; done
            kill -TERM $!; wait $!
            grep -c ", $(authserver --version), clients in" ../log
            sed -n "s|.*, clients in $PWD/\\(.*\\), tokens in $PWD/|\\1 |p" ../log
            """)
        #expect(outcome.output == ["1", "authserver.db authserver.db-tokens"], "\(outcome)")
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
        "A database of something else is not asked to be migrated, and stays as it is",
        .enabled(if: access("/usr/bin/sqlite3", X_OK) == 0),
        arguments: [
            "client list", "client disable gateway", "resource add R --scopes read", "migrate",
            "key rotate", "serve --listen 127.0.0.1:0 --log-format text", "serve --check",
        ])
    func another(line: String) async throws {
        let session = try ShellSession()
        let made = try await session.run(
            "sqlite3 theirs.db 'CREATE TABLE theirs (v)'; chmod 664 theirs.db; cp theirs.db before")
        #expect(made.status == 0)
        let refused = try await session.run("authserver \(line) --database theirs.db")
        #expect(refused.status == 1)
        #expect(try await session.run("cmp theirs.db before").status == 0)
        #expect(try await session.run("stat -c %a theirs.db; ls").output == ["664", "before", "theirs.db"])
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
            authserver migrate >/dev/null; authserver client add c >/dev/null 2>&1; sqlite3 authserver.db 'DROP TABLE grants'
            authserver client \(line)
            """)
        #expect(refused.status == 1)
        #expect(
            refused.messages == [
                "authserver: SQLite refused it: no such table: grants (code 1)",
                "hint: the database is not as this version made it: restore it from a backup, or name another file",
            ])
    }

    /// Who owns a file and its folder, who runs the command, and whether that is worth a word.
    struct Ownership: Sendable {
        let (file, folder, acting): (UInt32, UInt32, UInt32)
        let isSaid: Bool
    }

    @Test(
        "A database that somebody made in another one's folder is said to be of no use to that one",
        arguments: [
            Ownership(file: 0, folder: 998, acting: 0, isSaid: true),
            Ownership(file: 1000, folder: 998, acting: 1000, isSaid: true),
            Ownership(file: 998, folder: 998, acting: 0, isSaid: false),
            Ownership(file: 998, folder: 998, acting: 998, isSaid: false),
            Ownership(file: 0, folder: 0, acting: 0, isSaid: false),
            Ownership(file: 1000, folder: 0, acting: 1000, isSaid: false),
        ])
    func misplaced(example: Ownership) {
        let users: [UInt32: String] = [0: "root", 998: "authserver", 1000: "ada"]
        func user(_ id: UInt32) -> ProcessUser.User { .init(id: id, name: users[id]) }
        let said = RegistryFile.misplacement(
            "/srv/a b.db", of: user(example.file), in: user(example.folder), by: user(example.acting))
        #expect((said != nil) == example.isSaid)
        if let said { #expect(said.hasSuffix(" run: chown authserver: '/srv/a b.db'"), "\(said)") }
    }

    @Test("So root is told by migrate", .enabled(if: geteuid() == 0, "nobody else gives folders away"))
    func misplacedByRoot() async throws {
        let outcome = try await ShellSession().run(
            """
            mkdir theirs && chown 4242 theirs
            authserver migrate --database theirs/a.db >/dev/null && authserver migrate --database theirs/a.db --json
            chown 4242 theirs/a.db && authserver migrate --database theirs/a.db
            """)
        #expect(outcome.status == 0 && outcome.output == ["{\"applied\":[]}"], "\(outcome)")
        try #require(outcome.messages.count == 3, "\(outcome)")
        #expect(outcome.messages[0].hasPrefix("warning: the database /"), "\(outcome)")
        #expect(
            outcome.messages[0].contains(" belongs to root (uid 0), and its folder to uid 4242, "),
            "\(outcome)")
        #expect(outcome.messages[0].contains("chown 4242 /"), "\(outcome)")
        #expect(outcome.messages[1].hasPrefix("{\"warning\":\"the database "), "\(outcome)")
        #expect(outcome.messages[2] == "the database is up to date", "\(outcome)")
    }

    @Test("An empty file is no database yet: what reads or changes it says so, what makes one fills it")
    func empty() async throws {
        let session = try ShellSession()
        for line in ["resource list", "client disable gateway", "resource add R --scopes read"] {
            let outcome = try await session.run(": >>authserver.db; authserver \(line)")
            #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
            #expect(outcome.messages.first?.contains("there is no database") == true, "\(outcome)")
        }
        let made = try await session.run("authserver migrate && authserver resource add R --scopes read")
        #expect(made.status == 0, "\(made)")
    }

    @Test(
        "A database that is not there is made by no command but migrate and serve",
        arguments: [
            "client add gateway", "client add gateway --secret-stdin", "client add gateway --grant R=read",
            "client list", "client show c", "client set c --name n", "client grant c R=read",
            "client revoke-grant c R", "client rotate-secret c --overlap 24h",
            "client remove-secret c s --yes",
            "client enable c", "client disable c", "client remove c --yes", "resource add R --scopes read",
            "resource list", "resource show R", "resource set R --no-owner", "resource remove R --yes",
            "key list", "key rotate", "key retire k --yes", "token issue --client c",
            "token revoke --client c", "token revoke --id AAAAAAAAAAAAAAAAAAAAAA", "history",
        ])
    func notMade(line: String) async throws {
        let outcome = try await ShellSession().run("authserver \(line) </dev/null; echo \"exit $?\"; ls -A")
        #expect(outcome.output == ["exit 1"], "\(outcome)")
        try #require(outcome.messages.count == 2, "\(outcome)")
        #expect(outcome.messages[0].hasPrefix("authserver: there is no database /"), "\(outcome)")
        #expect(
            outcome.messages[1].hasPrefix("hint: that path is looked at where none is named: "), "\(outcome)")
        for way in [
            "--database", "AUTHSERVER_DATABASE", "--config", "AUTHSERVER_CONFIG", "authserver migrate",
        ] {
            #expect(outcome.messages[1].contains(way), "\(outcome)")
        }
    }
}
