import Foundation
import HTTP
import JOSE
import ServerCases
import Testing
import TestSupport

extension RealProcess {
    @Suite("Many requests at once")
    struct LoadTests {
        @Test(
            "B22: a thousand at once by one client are all answered, each token another",
            arguments: [false, true])
        func thousand(withRedis: Bool) async throws {
            let redis = withRedis ? try await RedisServer.start() : nil
            try await withServer(arguments: redis.map { ["--redis", $0.url] } ?? []) { server in
                let requests = (0..<1000).map { _ in
                    HTTPRequest.token(by: .basic("gateway"), scenario: server.scenario)
                }
                let responses = try await server.sendAtOnce(requests)
                #expect(responses.allSatisfy { $0.status == 200 })
                let tokens = responses.compactMap { $0.json?["access_token"]?.string }.compactMap(
                    IssuedToken.init)
                #expect(Set(tokens.map(\.id)).count == 1000)
                #expect(tokens.allSatisfy { $0.signatureByteCount == 64 })
            }
            withExtendedLifetime(redis) {}
        }

        @Test("B20: tokens, revocations and the administrator's changes at once, on SQLite")
        func mixed() async throws {
            try await withServer { server in
                let dialogue = Dialogue(server: server)
                var tokens: [String] = []
                for _ in 0..<100 { tokens.append(try await dialogue.issue()) }
                let admin = try Administration(server.scenario)
                async let changes: Void = {
                    for number in 0..<5 {
                        try await admin.run("client add c\(number) --grant RESOURCE_ID_BOOK=read")
                    }
                }()
                let requests =
                    (0..<500).map { _ in HTTPRequest.token(by: .basic("gateway"), scenario: server.scenario) }
                    + tokens.map {
                        .form(
                            "token=\($0)", to: "/oauth/revoke", by: .basic("gateway"),
                            scenario: server.scenario)
                    }
                let responses = try await server.sendAtOnce(requests.shuffled())
                try await changes
                #expect(responses.allSatisfy { $0.status == 200 })
                for token in tokens { try await dialogue.introspect(token).isInactive() }
                #expect(dialogue.problems == [])
            }
        }

        @Test("C13: two processes on one Redis: what one issues the other knows, and revokes, at once")
        func twoProcesses() async throws {
            let redis = try await RedisServer.start()
            let scenario = try Scenario(withBroughtSecrets: false)
            let flags = ["--redis", redis.url, "--threads", "1"]
            let issuer = "https://auth.example.com"
            try await withServer(scenario, issuer: issuer, arguments: flags) { first in
                try await withServer(scenario, issuer: issuer, arguments: flags) { second in
                    let here = Dialogue(server: first)
                    let there = Dialogue(server: second)
                    for number in 0..<200 {
                        let token = try await here.issue()
                        try await there.introspect(token).isActive()
                        try await (number % 2 == 0 ? here : there).revoke(token).has(status: 200)
                        try await here.introspect(token).isInactive()
                        try await there.introspect(token).isInactive()
                    }
                    #expect(here.problems + there.problems == [])
                }
            }
        }

        @Test("R5: no key outlives the last token; there is no index of tokens")
        func expiringKeys() async throws {
            let redis = try await RedisServer.start()
            try await withServer(arguments: ["--redis", redis.url]) { server in
                let requests = (0..<300).map { _ in
                    HTTPRequest.token(by: .basic("brief"), scenario: server.scenario)
                }
                _ = try await server.sendAtOnce(requests)
                try await eventually("Redis holds none of them") {
                    try await redis.command("KEYS auth:t:*").isEmpty
                }
            }
        }

        @Test("T20: what is too large is refused, and memory stays flat")
        func tooLarge() async throws {
            try await withServer { server in
                let dialogue = Dialogue(server: server)
                _ = try await dialogue.issue()
                let before = try server.residentKilobytes()
                for _ in 0..<5 {
                    try await dialogue.token("a=\(String(repeating: "x", count: 10_000_000))").has(
                        status: 413)
                    let many = (0..<100_000).map { "a\($0)=1" }.joined(separator: "&")
                    try await dialogue.token(many).has(status: 413)
                    try await dialogue.introspect(String(repeating: ".", count: 1_000_000)).has(status: 413)
                    let header = "Basic " + String(repeating: "QUJD", count: 5000)
                    try await dialogue.token(by: .header(header)).has(statusIn: [401, 431])
                }
                #expect(try server.residentKilobytes() - before < 20_000)
                _ = try await dialogue.issue()
                // What is too large never reaches an endpoint: the engine says so in plain text.
                let problems = dialogue.problems.filter {
                    !$0.contains("content type") && !$0.contains("Pragma")
                }
                #expect(problems == [])
            }
        }

        @Test("T20: a body slower than a byte a second ends at the deadline")
        func tooSlow() async throws {
            try await withServer(arguments: ["--request-deadline", "1s"]) { server in
                let port = server.port
                let start = ContinuousClock.now
                let (text, closed) = try await onThread {
                    let connection = try RawConnection(port: port)
                    connection.send("POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\ng")
                    return connection.receive(seconds: 8)
                }
                #expect(closed)
                #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 408"), "\(text)")
                #expect(ContinuousClock.now - start < .seconds(6))
                _ = try await Dialogue(server: server).issue()
            }
        }
    }
}
