import Foundation
import Glibc
import HTTP
import JOSE
import ServerCases
import Testing
import TestSupport

extension RealProcess {
    @Suite("Start, signals and end of the process")
    struct LifecycleTests {
        @Test("SIGTERM: what runs is finished, nothing new is accepted, the exit status is 0")
        func terminating() async throws {
            let redis = try await RedisServer.start()
            let server = try await ServerProcess.start(
                Scenario(withBroughtSecrets: false), arguments: ["--redis", redis.url])
            let dialogue = Dialogue(server: server)
            _ = try await dialogue.issue()
            // The request waits for Redis while the signal comes.
            _ = try await redis.command("CLIENT PAUSE 600 ALL")
            async let answer = server.send(.token(by: .basic("gateway"), scenario: server.scenario))
            try await Task.sleep(for: .milliseconds(150))
            server.signal(SIGTERM)
            try await eventually("nothing new is accepted", within: .seconds(5)) {
                !isListening(on: UInt16(server.port))
            }
            #expect(try await answer.status == 200)
            #expect(try await server.waitForExit() == 0)
            let events = server.log.split(separator: "\n").filter { $0.contains(#""event":"#) }.suffix(2)
            #expect(events.first?.contains("stopping") == true && events.last?.contains("stopped") == true)
        }

        @Test("Probes of its health that succeed leave no line in the log; one that fails does")
        func probes() async throws {
            let scenario = try Scenario(withBroughtSecrets: false)
            try await withServer(scenario) { server in
                let dialogue = Dialogue(server: server)
                for path in ["/healthz", "/readyz"] {
                    let answer = try await dialogue.get(path).response
                    let refusal = try await dialogue.post("", to: path, by: .none).response
                    #expect(answer.status == 200 && refusal.status == 405)
                }
                _ = try await dialogue.issue()
                try await eventually("the token is in the log") { server.log.contains("issued") }
                let probes = server.log.split(separator: "\n").filter {
                    $0.contains(#""endpoint":"live""#) || $0.contains(#""endpoint":"ready""#)
                }
                #expect(probes.count == 2 && probes.allSatisfy { $0.contains(#""status":405"#) })
            }
        }

        @Test("SIGINT ends it too, also while a client keeps its connection open")
        func interrupting() async throws {
            let server = try await ServerProcess.start(Scenario(withBroughtSecrets: false))
            let idle = try RawConnection(port: server.port)
            defer { withExtendedLifetime(idle) {} }
            server.signal(SIGINT)
            #expect(try await server.waitForExit() == 0)
        }

        @Test("SIGHUP: the configuration is read again; a broken one is named, and the old one stays")
        func rereading() async throws {
            let scenario = try Scenario(withBroughtSecrets: false)
            let file = scenario.file("config.json5")
            try "{ jwks_max_age: '7s' }".write(toFile: file, atomically: true, encoding: .utf8)
            try await withServer(scenario, arguments: ["--config", file]) { server in
                #expect(try await Self.maxAge(server) == "public, max-age=7")
                try "{ jwks_max_age: '9s' }".write(toFile: file, atomically: true, encoding: .utf8)
                server.signal(SIGHUP)
                try await eventually("the new max-age") {
                    try await Self.maxAge(server) == "public, max-age=9"
                }
                try "{ jwks_max_agee: '9s' }".write(toFile: file, atomically: true, encoding: .utf8)
                server.signal(SIGHUP)
                try await eventually("the misspelt key is named") { server.log.contains("jwks_max_agee") }
                #expect(try await Self.maxAge(server) == "public, max-age=9")
                _ = try await Dialogue(server: server).issue()
            }
        }

        @Test("SIGHUP: another database waits for a restart, and is named each time until then")
        func anotherDatabase() async throws {
            let scenario = try Scenario(withBroughtSecrets: false)
            let file = scenario.file("config.json5")
            func configure(_ database: String) throws {
                try "{ database: '\(database)' }".write(toFile: file, atomically: true, encoding: .utf8)
            }
            try configure(scenario.database)
            let server = try await ServerProcess.start(
                scenario, arguments: ["--config", file], namesDatabase: false)
            try configure(scenario.file("another.db"))
            for count in 1...2 {
                server.signal(SIGHUP)
                try await eventually("a restart is asked for") {
                    server.log.components(separatedBy: "a restart is needed for --database").count == count
                        + 1
                }
                _ = try await Dialogue(server: server).issue()
            }
            #expect(!FileManager.default.fileExists(atPath: scenario.file("another.db")))
            try await server.stop()
        }

        @Test("SIGHUP under load: no request fails")
        func rereadingUnderLoad() async throws {
            try await withServer { server in
                for _ in 0..<5 {
                    let requests = (0..<40).map { _ in
                        HTTPRequest.token(by: .basic("gateway"), scenario: server.scenario)
                    }
                    async let responses = server.sendAtOnce(requests)
                    server.signal(SIGHUP)
                    #expect(try await Set(responses.map(\.status)) == [200])
                }
                try await eventually("the configuration was read") { server.log.contains("were read again") }
            }
        }

        @Test("A port in use is named, with what to do, and the exit status is 1")
        func portInUse() async throws {
            try await withServer { server in
                let second = try ServerProcess.launch(
                    ["--listen", "127.0.0.1:\(server.port)", "--database", server.scenario.file("other.db")],
                    directory: server.scenario)
                #expect(try await second.waitForExit() == 1)
                #expect(second.log.contains("cannot listen on 127.0.0.1:\(server.port)"), "\(second.log)")
                #expect(second.log.contains("in use by another process"), "\(second.log)")
                _ = try await Dialogue(server: server).issue()
            }
        }

        @Test("A first start makes the database, private, and a key; a second start keeps both")
        func firstStart() async throws {
            let scenario = try Scenario(withBroughtSecrets: false)
            let before = try await withServer(scenario) {
                try await Dialogue(server: $0).get(Self.jwks).response.text
            }
            let after = try await withServer(scenario) {
                try await Dialogue(server: $0).get(Self.jwks).response.text
            }
            #expect(before == after)
            for file in [scenario.database, "\(scenario.database)-tokens"] {
                let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
                #expect(mode == 0o600, "\(file)")
            }
        }

        @Test("A database that is none is named at the start")
        func noDatabase() async throws {
            let scenario = try Scenario(withBroughtSecrets: false)
            let file = scenario.file("text.db")
            try String(repeating: "this is no database\n", count: 100)
                .write(toFile: file, atomically: true, encoding: .utf8)
            let server = try ServerProcess.launch(
                ["--listen", "127.0.0.1:0", "--database", file], directory: scenario)
            #expect(try await server.waitForExit() == 1)
            #expect(server.log.contains("text.db"), "\(server.log)")
        }

        @Test(
            "An issuer with a path: endpoints below it, metadata at the path-inserted form (RFC 8414 section 3.1)"
        )
        func issuerWithPath() async throws {
            let issuer = "https://auth.example.com/tenant/a"
            try await withServer(issuer: issuer) { server in
                let dialogue = Dialogue(server: server)
                let inserted = "/.well-known/oauth-authorization-server/tenant/a"
                let document = try await dialogue.get(inserted).has(status: 200).response.json
                #expect(document?["issuer"]?.string == issuer)
                #expect(document?["token_endpoint"]?.string == "\(issuer)/oauth/token")
                #expect(document?["jwks_uri"]?.string == "\(issuer)/.well-known/jwks.json")
                try await dialogue.post(
                    "grant_type=client_credentials", to: "/tenant/a/oauth/token", by: .basic("app")
                ).isToken(for: ["RESOURCE_ID_GATEWAY"], scope: "read")
                try await dialogue.get("/tenant/a/.well-known/jwks.json").has(status: 200)
                try await dialogue.get("/tenant/b/.well-known/jwks.json").has(status: 404)
                try await dialogue.get("\(inserted)/").has(status: 404)
                #expect(dialogue.problems == [])
            }
        }

        private static let jwks = "/.well-known/jwks.json"

        private static func maxAge(_ server: ServerProcess) async throws -> String? {
            try await server.send(HTTPRequest(method: "GET", path: jwks)).value("cache-control")
        }
    }
}
