import Foundation
import Glibc
import JOSE
import SQLite
import ServerCases
import TestSupport
import Testing

extension RealProcess {
    /// The administrator gives no flag: what commands have to know of the server, it noted.
    @Suite("Commands beside a server that was started with flags")
    struct ServersSettingsTests {
        @Test("Tokens are issued and inspected with the server's issuer, and with no other")
        func issuer() async throws {
            let issuer = "https://auth.example.com"
            try await withServer(issuer: issuer) { server in
                let admin = try Administration(server.scenario)
                let dialogue = Dialogue(server: server)
                let issued = try await admin.run("token issue --client gateway")
                try await dialogue.introspect(issued).isActive()
                let token = try await dialogue.issue()
                #expect(try await admin.run("token inspect \(token)").contains("iss\t\(issuer)"))
                for line in ["token issue --client gateway", "token inspect \(token)"] {
                    let refusal = try await admin.refusal("\(line) --issuer http://127.0.0.1:\(server.port)")
                    #expect(refusal.contains("hint: give --issuer \(issuer), or leave out"), "\(refusal)")
                }
                #expect(dialogue.problems == [])
            }
        }

        @Test("The issuer that follows from a port which the system chose is known too")
        func derivedIssuer() async throws {
            try await withServer { server in
                let admin = try Administration(server.scenario)
                let dialogue = Dialogue(server: server)
                try await dialogue.introspect(try await admin.run("token issue --client gateway")).isActive()
                #expect(dialogue.problems == [])
            }
        }

        @Test("What the server noted and a restored registry has not is noted again at SIGHUP")
        func restoredNotes() async throws {
            let issuer = "https://auth.example.com"
            try await withServer(issuer: issuer) { server in
                let admin = try Administration(server.scenario)
                let dialogue = Dialogue(server: server)
                let connection = try Connection(path: server.scenario.database, mode: .readWrite)
                try connection.execute(
                    """
                    UPDATE server SET issuer = 'https://other.example', jwks_max_age = 7;
                    DELETE FROM token_store
                    """)
                server.signal(SIGHUP)
                try await eventually("the configuration is read again") {
                    server.log.contains("were read again")
                }
                let issued = try await admin.run("token issue --client gateway")
                try await dialogue.introspect(issued).isActive()
                #expect(try await Self.secondsToWait("key rotate", admin) == 300)
                #expect(dialogue.problems == [])
            }
        }

        @Test("A new key waits for the server's max-age, also for one that was read again or has just ended")
        func maxAge() async throws {
            let scenario = try Scenario(withBroughtSecrets: false)
            let file = scenario.file("config.json5")
            try "{ jwks_max_age: '1h' }".write(toFile: file, atomically: true, encoding: .utf8)
            try await withServer(scenario, arguments: ["--config", file]) { server in
                let admin = try Administration(scenario)
                #expect(try await Self.secondsToWait("key rotate", admin) == 3600)
                try "{ jwks_max_age: '2h' }".write(toFile: file, atomically: true, encoding: .utf8)
                server.signal(SIGHUP)
                try await eventually("the configuration is read again") {
                    server.log.contains("were read again")
                }
                #expect(try await Self.secondsToWait("key rotate --jwks-max-age 1m", admin) == 7200)
            }
            try await withServer(scenario, arguments: ["--jwks-max-age", "1m"]) { _ in
                let admin = try Administration(scenario)
                #expect((3600...7200).contains(try await Self.secondsToWait("key rotate", admin)))
            }
        }

        /// How long after it was made the key that a command makes will sign.
        private static func secondsToWait(_ command: String, _ admin: Administration) async throws -> Int64 {
            let document = try JSON.parse(Array(try await admin.run("\(command) --json").utf8)).object
            guard case .integer(let activation)? = document?["activates_at"],
                case .integer(let creation)? = document?["created_at"]
            else { throw TestFailure("\(command) prints no times") }
            return activation - creation
        }
    }
}
