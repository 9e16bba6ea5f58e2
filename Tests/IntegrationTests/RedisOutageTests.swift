import AuthStore
import Glibc
import HTTP
import JOSE
import OAuth
import ServerCases
import Testing
import TestSupport

extension RealProcess {
    /// T22: without its token store the server hands out nothing, says so in time, and recovers by itself.
    @Suite("Redis down, frozen, full, read-only")
    struct RedisOutageTests {
        /// How a Redis is taken away, and how it is given back.
        enum Outage: String, CaseIterable, CustomTestStringConvertible {
            case killed, stopped, frozen, slow, full, readOnly
            var testDescription: String { rawValue }

            func begin(_ redis: RedisServer) async throws {
                switch self {
                case .killed: try await redis.kill()
                case .stopped: try await redis.stop()
                case .frozen: redis.suspend()
                case .slow: try await redis.command("CLIENT PAUSE 7000 ALL")
                case .full:
                    try await redis.command("CONFIG SET maxmemory-policy noeviction")
                    try await redis.command("CONFIG SET maxmemory 1")
                case .readOnly: try await redis.command("REPLICAOF 127.0.0.1 1")
                }
            }

            func end(_ redis: RedisServer) async throws {
                switch self {
                case .killed, .stopped: try await redis.restart()
                case .frozen: redis.resume()
                case .slow: break  // It ends by itself.
                case .full: try await redis.command("CONFIG SET maxmemory 0")
                case .readOnly: try await redis.command("REPLICAOF NO ONE")
                }
            }
        }

        @Test(
            "T22: 503 with Retry-After within 2 s, and 200 again without a restart",
            arguments: Outage.allCases)
        func recovers(_ outage: Outage) async throws {
            let redis = try await RedisServer.start()
            try await withServer(arguments: ["--redis", redis.url]) { server in
                let dialogue = Dialogue(server: server)
                _ = try await dialogue.issue()
                try await outage.begin(redis)
                for _ in 0..<3 {
                    try await Self.inTime(dialogue) {
                        try await $0.token().isError(503, "temporarily_unavailable")
                    }
                }
                try await Self.inTime(dialogue) {
                    let ready = try await $0.get("/readyz").has(status: 503)
                    $0.expect(ready.response.json?["token_store"] == "unavailable", "\(ready.response.text)")
                    $0.expect(ready.response.json?["registry"] == "ok", "\(ready.response.text)")
                }
                try await Self.othersGoOn(dialogue)
                try await outage.end(redis)
                // Each thread has a connection of its own that is back in its own time, and the system chooses the
                // thread by the port of the client: so many requests that they meet both.
                try await eventually("tokens are issued again") {
                    let requests = (0..<40).map { _ in
                        HTTPRequest.token(by: .basic("gateway"), scenario: server.scenario)
                    }
                    return try await server.sendAtOnce(requests).allSatisfy { $0.status == 200 }
                }
                try await dialogue.introspect(try await dialogue.issue()).isActive()
                try await dialogue.get("/readyz").has(status: 200)
                #expect(dialogue.problems == [])
            }
        }

        @Test("T22: without Redis at the start it starts, answers 503, and serves when Redis comes")
        func downAtStart() async throws {
            let redis = try await RedisServer.start()
            try await redis.kill()
            try await withServer(arguments: ["--redis", redis.url, "--threads", "3"]) { server in
                let dialogue = Dialogue(server: server)
                try await Self.inTime(dialogue) {
                    try await $0.token().isError(503, "temporarily_unavailable")
                }
                try await Self.othersGoOn(dialogue)
                #expect(server.log.ranges(of: "the token store is lost").count == 1)
                try await redis.restart()
                try await eventually("tokens are issued") {
                    try await server.send(.token(by: .basic("gateway"), scenario: server.scenario)).status
                        == 200
                }
                #expect(dialogue.problems == [])
            }
        }

        @Test("T22: a wrong password is 503 for clients and named in the log, without the password")
        func wrongPassword() async throws {
            var options = RedisServer.Options()
            options.password = "the-right-password"
            let redis = try await RedisServer.start(options)
            let url = "redis://:the-wrong-password@127.0.0.1:\(redis.port)"
            try await withServer(environment: ["AUTHSERVER_REDIS": url]) { server in
                let dialogue = Dialogue(server: server)
                try await Self.inTime(dialogue) {
                    try await $0.token().isError(503, "temporarily_unavailable")
                }
                try await eventually("the log says why") { server.log.contains("WRONGPASS") }
                #expect(!server.log.contains("the-wrong-password"))
                #expect(dialogue.problems == [])
            }
        }

        @Test("T22: many requests at once while Redis is frozen are all answered in time")
        func manyWhileFrozen() async throws {
            let redis = try await RedisServer.start()
            try await withServer(arguments: ["--redis", redis.url]) { server in
                _ = try await Dialogue(server: server).issue()
                redis.suspend()
                let start = ContinuousClock.now
                let requests = (0..<200).map { _ in
                    HTTPRequest.token(by: .basic("gateway"), scenario: server.scenario)
                }
                let responses = try await server.sendAtOnce(requests)
                #expect(Set(responses.map(\.status)) == [503])
                #expect(
                    responses.allSatisfy { $0.value("retry-after") != nil && $0.json?["access_token"] == nil }
                )
                #expect(ContinuousClock.now - start < .seconds(4))
                redis.resume()
            }
        }

        @Test("Redis is told of a revocation that it lacks also while one SIGHUP follows the other")
        func toldAmongRereadings() async throws {
            let redis = try await RedisServer.start()
            try await withServer(arguments: ["--redis", redis.url]) { server in
                let signals = Task {
                    while !Task.isCancelled {
                        server.signal(SIGHUP)
                        try await Task.sleep(for: .milliseconds(100))
                    }
                }
                defer { signals.cancel() }
                try await eventually("it is read again") { server.log.contains("were read again") }
                // In the registry alone, as by a command that did not reach Redis.
                try server.scenario.registry().recordRevocation(of: ClientID("gateway"), at: WallClock.now())
                try await eventually("Redis was told", within: .seconds(5)) {
                    try await redis.command("EXISTS auth:r:gateway") == "1"
                }
            }
        }

        /// What needs no token store is answered as ever.
        private static func othersGoOn(_ dialogue: Dialogue) async throws {
            try await inTime(dialogue) {
                try await $0.get("/healthz").has(status: 200)
                try await $0.get("/.well-known/jwks.json").has(status: 200)
                try await $0.token(by: .basic("gateway", secret: "wrong")).isUnauthenticated()
                try await $0.token("scope=admin").isError(400, "invalid_scope")
            }
        }

        /// Every exchange of `body` together within two seconds.
        private static func inTime(_ dialogue: Dialogue, _ body: (Dialogue) async throws -> Void) async throws
        {
            let start = ContinuousClock.now
            try await body(dialogue)
            let time = ContinuousClock.now - start
            dialogue.expect(time < .seconds(2), "that took \(time)")
        }
    }
}
