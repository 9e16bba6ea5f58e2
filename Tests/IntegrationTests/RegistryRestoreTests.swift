import AuthStore
import Foundation
import Glibc
import HTTP
import JOSE
import OAuth
import ServerCases
import Testing
import TestSupport

extension RealProcess {
    /// `.restore` of SQLite's shell writes another registry into the file that a server has open.
    @Suite(
        "A registry that is restored under a running server",
        .enabled(if: access("/usr/bin/sqlite3", X_OK) == 0, "needs /usr/bin/sqlite3"))
    struct RegistryRestoreTests {
        @Test("What the backup says is in force")
        func earlier() async throws {
            try await withServer { server in
                let dialogue = Dialogue(server: server)
                let file = Backup(of: server)
                try await file.sqlite(".backup '\(file.copy)'")
                try server.scenario.registry().setDisabled(true, client: ClientID("book"), at: 1)
                try server.scenario.registry().removeClient(ClientID("review"), at: 1)
                try await dialogue.token(by: .basic("book")).isUnauthenticated()
                try await dialogue.token(by: .basic("review")).isUnauthenticated()
                _ = try await dialogue.issue()
                try await file.sqlite(".restore '\(file.copy)'")
                try await eventually("the client that was disabled afterwards is enabled") {
                    try await dialogue.token(by: .basic("book")).response.status == 200
                }
                _ = try await dialogue.issue(to: "review")
                try await dialogue.introspect(try await dialogue.issue()).isActive()
                try await dialogue.get("/readyz").has(status: 200)
                #expect(!server.log.contains("the registry"), "\(server.log.suffix(2000))")
                #expect(dialogue.problems == [])
            }
        }

        @Test("One that lacks migrations is not read before they are applied, and the log says so")
        func older() async throws {
            // Each thread knows the clients that it served.
            try await withServer(arguments: ["--threads", "1"]) { server in
                let dialogue = Dialogue(server: server)
                let file = Backup(of: server)
                try await file.sqlite(".backup '\(file.copy)'")
                // As the version before made it, with a client that is not there any more.
                try await file.sqlite(
                    """
                    PRAGMA foreign_keys = ON; BEGIN;
                    DROP TABLE changes; DROP TABLE change_sets; DELETE FROM schema_migrations WHERE number = 4;
                    DELETE FROM clients WHERE client_id = 'gateway'; COMMIT;
                    """, in: file.copy)
                _ = try await dialogue.issue()
                try await file.sqlite(".restore '\(file.copy)'")
                try await eventually("readyz says so") {
                    let ready = try await dialogue.get("/readyz").response
                    return ready.status == 503 && ready.json?["registry"] == "unavailable"
                }
                try await eventually("the log says so") {
                    server.log.contains("registry.db needs 0004_changes.sql: run `authserver migrate`")
                }
                _ = try await dialogue.issue()
                try await dialogue.token(by: .basic("book")).has(status: 503)
                try await file.run("authserver migrate --database '\(server.scenario.database)'")
                try await eventually("it is read") {
                    try await dialogue.get("/readyz").response.status == 200
                }
                try await dialogue.token().isUnauthenticated()
                _ = try await dialogue.issue(to: "book")
                try await eventually("the log says so") {
                    server.log.contains("the registry can be read again")
                }
                #expect(server.log.ranges(of: "the registry cannot be read").count == 1)
                #expect(dialogue.problems == [])
            }
        }

        @Test("What is no registry is not read, and the log says so; the right one is, when it is restored")
        func another() async throws {
            try await withServer(arguments: ["--threads", "1"]) { server in
                let dialogue = Dialogue(server: server)
                let file = Backup(of: server)
                let theirs = server.scenario.file("theirs.db")
                try await file.sqlite(".backup '\(file.copy)'")
                try await file.sqlite("CREATE TABLE theirs (v INTEGER);", in: theirs)
                _ = try await dialogue.issue()
                try await file.sqlite(".restore '\(theirs)'")
                try await eventually("the log says so") {
                    _ = try await dialogue.issue()
                    return server.log.contains("registry.db is a database, but no registry of authserver")
                }
                try await file.sqlite(".restore '\(file.copy)'")
                try await eventually("it is read") {
                    try await dialogue.get("/readyz").response.status == 200
                }
                _ = try await dialogue.issue(to: "book")
                #expect(dialogue.problems == [])
            }
        }
    }

    /// A server's registry in the hands of an administrator.
    private struct Backup {
        let database: String
        let copy: String

        init(of server: ServerProcess) {
            database = server.scenario.database
            copy = server.scenario.file("copy.db")
        }

        func sqlite(_ text: String, in file: String? = nil) async throws {
            try await run("sqlite3 -cmd '.timeout 5000' '\(file ?? database)' <<'END'\n\(text)\nEND")
        }

        func run(_ command: String) async throws {
            let outcome = try await ShellSession().run(command)
            try #require(outcome.status == 0, "\(command)\n\(outcome)")
        }
    }
}
