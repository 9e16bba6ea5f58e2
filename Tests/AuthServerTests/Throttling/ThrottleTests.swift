import AuthStore
import HTTP
import JOSE
import OAuth
import ServerCases
import Testing

@testable import AuthServer

@Suite("Guesses are slowed down")
struct ThrottleTests {
    private static let limit = 5

    /// A server that lets five failures a minute in.
    private static func withServer(
        broughtSecrets: Bool = false, _ body: (InProcessServer) async throws -> Void
    ) async throws {
        let server = try await InProcessServer.start(
            Scenario(withBroughtSecrets: broughtSecrets), failureLimit: limit)
        do { try await body(server) } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    @Test(
        "T26 Five wrong secrets, then 429 with Retry-After; other addresses and clients are served",
        arguments: ["gateway", "disabled", "nobody"])
    func slowed(client: String) async throws {
        try await Self.withServer { server in
            for _ in 0..<Self.limit {
                #expect(await server.token(client, secret: "wrong").response.status == 401)
            }
            let refused = await server.token(client, secret: "wrong")
            #expect(refused.response.status == 429)
            // Five a minute: the bucket has room again after 12 seconds, less what these requests have taken.
            let seconds = try #require(refused.response.value("retry-after").flatMap { Int($0) })
            #expect((1...12).contains(seconds))
            #expect(refused.response.value("cache-control") == "no-store")
            #expect(refused.response.value("www-authenticate") == nil)
            #expect(refused.response.json?["error"]?.string == "temporarily_unavailable")
            #expect(await server.token("app").response.status == 200)
            #expect(await server.token("gateway", from: "192.0.2.2").response.status == 200)
        }
    }

    @Test("T26 Also the right secret is refused meanwhile, else refusals would be no hindrance to guessing")
    func rightSecretToo() async throws {
        try await Self.withServer { server in
            for _ in 0..<Self.limit { _ = await server.token("gateway", secret: "wrong") }
            #expect(await server.token("gateway").response.status == 429)
            try await server.wait(until: server.now / 1000 + 13)
            #expect(await server.token("gateway").response.status == 200)
        }
    }

    @Test(
        "The answer is the same for a client that exists and one that does not, and the log says what came of it"
    )
    func alike() async throws {
        try await Self.withServer { server in
            var answers: [Answer] = []
            for client in ["gateway", "nobody"] {
                for _ in 0..<Self.limit { _ = await server.token(client, secret: "wrong") }
                answers.append(await server.token(client, secret: "wrong"))
            }
            #expect(answers[0].response.text == answers[1].response.text)
            #expect(answers[0].response.fields.map(\.name) == answers[1].response.fields.map(\.name))
            #expect(answers.map(\.outcome) == ["too_many_failures", "too_many_failures"])
            #expect(answers.map(\.client?.name) == ["gateway", "nob…"])
            #expect(answers[0].detail?.contains("without a look at the secret") == true)
        }
    }

    @Test("The three endpoints that take secrets count together")
    func endpoints() async throws {
        try await Self.withServer { server in
            for path in [
                "/oauth/token", "/oauth/introspect", "/oauth/revoke", "/oauth/token", "/oauth/revoke",
            ] {
                #expect(await server.token("gateway", secret: "wrong", at: path).response.status == 401)
            }
            for path in ["/oauth/token", "/oauth/introspect", "/oauth/revoke"] {
                #expect(await server.token("gateway", secret: "wrong", at: path).response.status == 429)
            }
        }
    }

    @Test("Neither what names no client nor a right secret at the wrong method is a failure")
    func notCounted() async throws {
        try await Self.withServer { server in
            for _ in 0..<Self.limit * 12 {
                let request = HTTPRequest.token(by: .header("Basic !!!!"), scenario: server.scenario)
                #expect(await server.answer(request).response.status == 401)
                #expect(await server.token("post-only").response.status == 400)
            }
            #expect(await server.token("gateway").response.status == 200)
        }
    }

    @Test("T2 A secret that can be read in two ways is one failure, in the log and in the count")
    func twoReadings() async throws {
        try await Self.withServer(broughtSecrets: true) { server in
            for _ in 0..<Self.limit {
                let request = HTTPRequest.token(
                    by: .raw(Array("escape:100%42".utf8)), scenario: server.scenario)
                #expect(await server.answer(request).response.status == 401)
            }
            let request = HTTPRequest.token(by: .raw(Array("escape:100%42".utf8)), scenario: server.scenario)
            #expect(await server.answer(request).response.status == 429)
        }
    }

    /// While one secret is checked by scrypt others arrive; they must not get in before it is counted.
    @Test("Guesses that are sent all at once are counted before their secrets are checked")
    func atOnce() async throws {
        try await Self.withServer(broughtSecrets: true) { server in
            let statuses = await withTaskGroup(of: Int.self) { group in
                for number in 0..<20 {
                    group.addTask { await server.token("long", secret: "wrong-\(number)").response.status }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.filter { $0 == 401 }.count == Self.limit)
            #expect(statuses.filter { $0 == 429 }.count == 20 - Self.limit)
        }
    }

    @Test("A right secret is no failure, though it is counted while scrypt runs")
    func heldIsTakenBack() async throws {
        try await Self.withServer(broughtSecrets: true) { server in
            for _ in 0..<3 {
                #expect(await server.token("long").response.status == 200)
                #expect(await server.token("colons").response.status == 200)
            }
            for _ in 0..<Self.limit {
                #expect(await server.token("long", secret: "wrong").response.status == 401)
            }
            #expect(await server.token("long", secret: "wrong").response.status == 429)
        }
    }

    @Test("A /64 of IPv6 is one address")
    func ipv6() async throws {
        try await Self.withServer { server in
            for number in 0..<Self.limit {
                _ = await server.token("gateway", secret: "wrong", from: "2001:db8:1:2::\(number)")
            }
            #expect(await server.token("gateway", from: "2001:db8:1:2:3::9").response.status == 429)
            #expect(await server.token("gateway", from: "2001:db8:1:3::9").response.status == 200)
        }
    }
}

extension InProcessServer {
    /// Sends an id and a secret, the right one unless another is given.
    fileprivate func token(
        _ client: String, secret: String? = nil, from address: String = "192.0.2.1",
        at path: String = "/oauth/token"
    ) async -> Answer {
        var request = HTTPRequest.form(
            "grant_type=client_credentials&token=x", to: path, by: .basic(client, secret: secret),
            scenario: scenario)
        request.remoteAddress = address
        return await answer(request)
    }
}
