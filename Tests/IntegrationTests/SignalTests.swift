import Foundation
import Glibc
import HTTP
import ServerCases
import SQLite
import Testing
import TestSupport

extension RealProcess {
    @Suite("Signals that come together")
    struct SignalTests {
        @Test("SIGTERM among many SIGHUPs is not lost")
        func terminatingAmongRereadings() async throws {
            let server = try await ServerProcess.start(Scenario(withBroughtSecrets: false))
            for number in 0..<300 {
                server.signal(number == 150 ? SIGTERM : SIGHUP)
                usleep(500)
            }
            #expect(try await server.waitForExit() == 0)
        }

        /// What a SIGHUP may have to wait for.
        enum Obstacle: CaseIterable { case unwrittenPipe, lockedRegistry }

        @Test("SIGTERM is acted on at once, whatever a SIGHUP waits for", arguments: Obstacle.allCases)
        func terminatingWhileRereading(_ obstacle: Obstacle) async throws {
            let scenario = try Scenario(withBroughtSecrets: false)
            let file = scenario.file("configuration.json5")
            try Self.write(file, maxAge: 7, connections: 400)
            let server = try await ServerProcess.start(scenario, arguments: ["--config", file])
            var lock: Connection?
            switch obstacle {
            case .unwrittenPipe:
                unlink(file)
                try #require(mkfifo(file, 0o600) == 0)
            case .lockedRegistry:
                // Another max-age is noted in the registry.
                try Self.write(file, maxAge: 9, connections: 400)
                lock = try Connection(path: scenario.database, mode: .readWrite)
                try lock?.execute("BEGIN IMMEDIATE")
            }
            server.signal(SIGHUP)
            try await Task.sleep(for: .milliseconds(500))
            let start = ContinuousClock.now
            server.signal(SIGTERM)
            #expect(try await server.waitForExit() == 0)
            #expect(ContinuousClock.now - start < .seconds(2))
            #expect(!server.log.contains("read again"))
            withExtendedLifetime(lock) {}
        }

        @Test("A second SIGTERM, or a SIGHUP, does not cut short what the first lets finish")
        func terminatingTwice() async throws {
            let server = try await ServerProcess.start(Scenario(withBroughtSecrets: false))
            let request = HTTPRequest.token(by: .basic("gateway"), scenario: server.scenario)
            let client = try RawConnection(port: server.port)
            client.send("POST /oauth/token HTTP/1.1\r\nHost: a\r\n")
            for field in request.fields { client.send("\(field.name): \(field.value)\r\n") }
            client.send("Content-Length: \(request.body.count)\r\n\r\n")
            try await Task.sleep(for: .milliseconds(100))
            for number in [SIGTERM, SIGTERM, SIGHUP, SIGINT] {
                server.signal(number)
                try await Task.sleep(for: .milliseconds(50))
            }
            client.send(String(decoding: request.body, as: UTF8.self))
            let answer = client.receive { $0.contains("access_token") }.text
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
            #expect(try await server.waitForExit() == 0)
        }

        @Test("A burst of a client whose secret somebody chose is served, after a start and after a SIGHUP")
        func burstOfBroughtSecrets() async throws {
            try await withServer(
                Scenario(), environment: ["AUTHSERVER_MAX_FAILURES": "5"]
            ) { server in
                for _ in 0..<2 {
                    let requests = (0..<60).map { _ in
                        HTTPRequest.token(by: .basic("colons"), scenario: server.scenario)
                    }
                    #expect(try await Set(server.sendAtOnce(requests).map(\.status)) == [200])
                    server.signal(SIGHUP)
                    try await eventually("it was read again") { server.log.contains("were read again") }
                }
            }
        }

        @Test("A SIGHUP that one thread of several cannot follow changes nothing on any")
        func allOrNothing() async throws {
            let scenario = try Scenario(withBroughtSecrets: false)
            let file = scenario.file("configuration.json5")
            try Self.write(file, maxAge: 7, connections: 400)
            try await withServer(scenario, arguments: ["--config", file, "--threads", "4"]) { server in
                try Self.write(file, maxAge: 9, connections: 800)
                let first = (try server.descriptors().max() ?? 0) + 1
                var refusals: Set<Substring> = []
                // One more each time, so that each thread and each step is the first that has none left.
                for limit in first..<first + 100 {
                    let lines = server.log.split(separator: "\n").count
                    try await server.limitDescriptors(to: limit)
                    server.signal(SIGHUP)
                    try await eventually("it was tried") {
                        server.log.split(separator: "\n").dropFirst(lines).contains {
                            $0.contains("read again")
                        }
                    }
                    try await server.limitDescriptors(to: 1024)
                    let line = server.log.split(separator: "\n").last { $0.contains("read again") } ?? ""
                    guard line.contains("was not read again") else { break }
                    refusals.insert(line.split(separator: "not read again: ").last ?? "")
                    #expect(try await Self.maxAges(server) == ["public, max-age=7"])
                }
                for place in [
                    "the configuration file", "SQLite refused it", "the HTTP engine", "the database",
                ] {
                    #expect(refusals.contains { $0.hasPrefix(place) }, "\(refusals)")
                }
                let ofSQLite = refusals.filter { $0.contains("unable to open") }
                #expect(ofSQLite.allSatisfy { $0.contains("Too many open files: raise the limit") })
                #expect(try await Self.maxAges(server) == ["public, max-age=9"])
                #expect(try server.descriptors().count < first + 40, "what was not used is closed")
            }
        }

        @Test("kill -9 in the middle of SIGHUPs: the next server starts on the same files, and serves")
        func killedAmongRereadings() async throws {
            let scenario = try Scenario(withBroughtSecrets: false)
            let file = scenario.file("configuration.json5")
            let (issuer, flags) = ("https://auth.example.com", ["--config", file, "--threads", "2"])
            var tokens: [String] = []
            for round in 1...8 {
                try Self.write(file, maxAge: round, connections: 400)
                let server = try await ServerProcess.start(scenario, issuer: issuer, arguments: flags)
                let dialogue = Dialogue(server: server)
                for token in tokens { try await dialogue.introspect(token).isActive() }
                // Each SIGHUP finds other settings, so that each thread opens everything anew.
                for number in 1...20 {
                    try Self.write(file, maxAge: 100 + number, connections: 400 + number)
                    server.signal(SIGHUP)
                    if number.isMultiple(of: 10) { tokens.append(try await dialogue.issue()) }
                    usleep(500)
                }
                try await eventually("it was read again") { server.log.contains("were read again") }
                server.signal(SIGHUP)
                usleep(UInt32(round) * 500)
                server.signal(SIGKILL)
                #expect(try await server.waitForExit() == 128 + SIGKILL)
                #expect(dialogue.problems == [])
            }
            try await withServer(scenario, issuer: issuer, arguments: flags) { server in
                let dialogue = Dialogue(server: server)
                try await dialogue.get("/readyz").has(status: 200)
                for token in tokens { try await dialogue.introspect(token).isActive() }
                try await dialogue.introspect(try await dialogue.issue()).isActive()
                #expect(try await Self.maxAges(server) == ["public, max-age=120"])
                #expect(dialogue.problems == [] && tokens.count == 16)
            }
        }

        private static func write(_ file: String, maxAge: Int, connections: Int) throws {
            try "{ jwks_max_age: '\(maxAge)s', max_connections: \(connections) }"
                .write(toFile: file, atomically: true, encoding: .utf8)
        }

        /// What the threads say: each connection is given to one of them.
        private static func maxAges(_ server: ServerProcess) async throws -> Set<String?> {
            let requests = (0..<24).map { _ in HTTPRequest(method: "GET", path: "/.well-known/jwks.json") }
            return Set(try await server.sendAtOnce(requests).map { $0.value("cache-control") })
        }

        @Test("A stopping server's port can be bound by its successor")
        func successor() async throws {
            let server = try await ServerProcess.start(Scenario(withBroughtSecrets: false))
            let client = try RawConnection(port: server.port)
            client.send("POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n")
            try await Task.sleep(for: .milliseconds(100))
            server.signal(SIGTERM)
            try await eventually("the port is free") { !isListening(on: UInt16(server.port)) }
            let next = try await ServerProcess.start(Scenario(withBroughtSecrets: false), port: server.port)
            try await next.stop()
            client.send("a")
            #expect(try await server.waitForExit() == 0)
        }
    }
}
