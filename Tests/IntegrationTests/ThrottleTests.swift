import Foundation
import Glibc
import HTTP
import JOSE
import ServerCases
import TestSupport
import Testing

/// T26 on the real process. `127.0.0.2` is the attacker's address.
@Suite("Guesses are slowed down, on the process")
struct ThrottleTests {
    private static let limit = 20
    private static let flags = ["--max-failures", String(limit)]
    private static let attacker = "127.0.0.2"

    @Test("T26 Wrong secrets get 429, others are served; tokens in SQLite")
    func sqlite() async throws {
        try await withServer(arguments: Self.flags + ["--threads", "2"]) { server in
            try await Self.expectSlowed(on: server)
        }
    }

    @Test("T26 Wrong secrets get 429, others are served; tokens in Redis")
    func redis() async throws {
        let redis = try await RedisServer.start()
        try await withServer(arguments: Self.flags + ["--threads", "2", "--redis", redis.url]) { server in
            try await Self.expectSlowed(on: server)
        }
    }

    @Test("Two servers with one Redis count together")
    func twoServers() async throws {
        let redis = try await RedisServer.start()
        let scenario = try Scenario(withBroughtSecrets: false)
        let flags = Self.flags + ["--threads", "1", "--redis", redis.url]
        try await withServer(scenario, arguments: flags) { first in
            try await withServer(scenario, arguments: flags) { second in
                let onFirst = try await Self.guess(at: "gateway", on: first)
                try #require(onFirst >= Self.limit)
                // It learns by its first failure, which nobody waits for.
                let onSecond = try await Self.guess(at: "gateway", on: second)
                #expect(onSecond >= 1)
                #expect(onSecond <= Self.limit / 2)
                #expect(try await Self.token("gateway", on: second).status == 200)
            }
        }
    }

    @Test("With Redis gone failures are counted all the same, and are answered as ever")
    func redisIsGone() async throws {
        let redis = try await RedisServer.start()
        try await withServer(arguments: Self.flags + ["--redis", redis.url]) { server in
            try await redis.kill()
            #expect(try await Self.guess(at: "gateway", on: server) >= Self.limit)
            try await redis.restart()
            try await eventually("tokens are issued again") {
                try await Self.token("gateway", on: server).status == 200
            }
        }
    }

    @Test("The limit can be taken away, and brought back without a restart")
    func reload() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("authserver.json5")
        try Data("{ max_failures: 0 }".utf8).write(to: URL(filePath: file))
        let scenario = try Scenario(withBroughtSecrets: false)
        try await withServer(
            scenario, arguments: ["--config", file], environment: ["AUTHSERVER_MAX_FAILURES": ""]
        ) {
            server in
            #expect(try await Self.guess(at: "gateway", on: server, times: 60) == 60)
            try Data("{ max_failures: 3 }".utf8).write(to: URL(filePath: file))
            server.signal(SIGHUP)
            try await eventually("the configuration is read") { server.log.contains("were read again") }
            #expect(try await Self.guess(at: "gateway", on: server, times: 10) < 10)
        }
    }

    // MARK: -

    private static func expectSlowed(on server: ServerProcess) async throws {
        let start = ContinuousClock.now
        let letIn = try await guess(at: "gateway", on: server)
        let seconds = Int((ContinuousClock.now - start).components.seconds) + 1
        #expect(letIn >= limit)
        #expect(letIn <= limit + limit * seconds / 60 + 1)
        let refused = try await token("gateway", from: attacker, on: server)
        #expect(refused.status == 429)
        #expect((1...120).contains(Int(refused.value("retry-after") ?? "") ?? 0))
        #expect(try await token("gateway", on: server).status == 200)
        #expect(try await token("app", from: attacker, on: server).status == 200)
        try await eventually("the log says it") {
            server.log.contains(#""status":429,"outcome":"too_many_failures""#)
        }
    }

    /// Sends wrong secrets until one is refused unseen.
    /// - Returns: how many were let in.
    private static func guess(
        at client: String, on server: ServerProcess, times: Int = 10 * limit
    ) async throws -> Int {
        for number in 0..<times {
            let response = try await token(client, secret: "wrong-\(number)", from: attacker, on: server)
            if response.status == 429 { return number }
            #expect(response.status == 401)
        }
        return times
    }

    private static func token(
        _ client: String, secret: String? = nil, from source: String = "127.0.0.1", on server: ServerProcess
    ) async throws -> HTTPResponse {
        let request = HTTPRequest.token(
            by: .basic(client, secret: secret), scenario: server.scenario)
        return try await Wire.exchange(request, port: server.port, from: source)
    }
}
