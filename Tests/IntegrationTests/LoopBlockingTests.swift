import HTTP
import JOSE
import ServerCases
import Testing
import TestSupport

extension RealProcess {
    /// Nothing blocks an event loop: with a single thread, what waits holds up nobody else.
    @Suite("No blocking call on an event loop")
    struct LoopBlockingTests {
        @Test("Redis is slow by a second: a token waits, everything else is answered in milliseconds")
        func slowRedis() async throws {
            let redis = try await RedisServer.start()
            try await withServer(arguments: ["--redis", redis.url, "--threads", "1"]) { server in
                let dialogue = Dialogue(server: server)
                _ = try await dialogue.issue()
                try await redis.command("CLIENT PAUSE 2000 ALL")
                async let waiting = Self.timed {
                    try await server.send(.token(by: .basic("gateway"), scenario: server.scenario)).status
                }
                try await Task.sleep(for: .milliseconds(50))
                var rounds: [Duration] = []
                for _ in 0..<20 { rounds.append(try await Self.others(dialogue)) }
                rounds.sort()
                let (status, time) = try await waiting
                #expect([200, 503].contains(status))
                #expect(time > .milliseconds(800), "Redis was not slow: \(time)")
                // Each round is four exchanges, on a machine that does other things as well.
                #expect(rounds[10] < .milliseconds(100), "the others waited for Redis: \(rounds)")
                #expect(rounds[19] < .milliseconds(900), "something waited for Redis: \(rounds)")
                #expect(dialogue.problems == [])
            }
        }

        @Test("Secrets that cost a derivation by scrypt are checked beside the loop")
        func slowSecrets() async throws {
            try await withServer(Scenario(), arguments: ["--threads", "1"]) { server in
                let dialogue = Dialogue(server: server)
                async let slow = Self.timed {
                    try await server.sendAtOnce(
                        (0..<20).map { _ in
                            .token(by: .basic("long", secret: "wrong"), scenario: server.scenario)
                        })
                }
                try await Task.sleep(for: .milliseconds(10))
                var slowest = Duration.zero
                for _ in 0..<20 {
                    let (_, time) = try await Self.timed {
                        try await dialogue.get("/healthz").has(status: 200)
                    }
                    slowest = max(slowest, time)
                }
                let (answers, time) = try await slow
                #expect(answers.allSatisfy { $0.status == 401 })
                // On the loop, the first of these would wait for nearly all of it.
                #expect(slowest < time / 2, "a request waited for scrypt: \(slowest) of \(time)")
                #expect(dialogue.problems == [])
            }
        }

        private static func others(_ dialogue: Dialogue) async throws -> Duration {
            try await timed {
                try await dialogue.get("/healthz").has(status: 200)
                try await dialogue.token(by: .basic("gateway", secret: "wrong")).isUnauthenticated()
                try await dialogue.token("scope=admin").isError(400, "invalid_scope")
                try await dialogue.get("/.well-known/jwks.json").has(status: 200)
            }.1
        }

        private static func timed<Value: Sendable>(
            _ body: @Sendable () async throws -> Value
        ) async throws -> (Value, Duration) {
            let start = ContinuousClock.now
            let value = try await body()
            return (value, ContinuousClock.now - start)
        }
    }
}
