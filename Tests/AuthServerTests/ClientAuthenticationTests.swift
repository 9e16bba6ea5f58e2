import AuthStore
import Foundation
import HTTP
import OAuth
import ServerCases
import Testing

@testable import AuthServer

@Suite("What the log is told of credentials that are refused")
struct ClientAuthenticationTests {
    @Test(
        "One answer for all, and a hint in the log where a token was sent instead of a secret",
        arguments: [
            ("Bearer abc", true), ("bearer  abc", true), ("Bearer", true), ("Basic !!!!", false),
            ("Bearers abc", false), ("Digest abc", false), ("", false),
        ])
    func scheme(authorization: String, isBearer: Bool) async throws {
        let server = try await InProcessServer.start(Scenario())
        let bearer = HTTPRequest.token(by: .header(authorization), scenario: server.scenario)
        let malformed = HTTPRequest.token(by: .header("Basic !"), scenario: server.scenario)
        let (answer, usual) = (await server.answer(bearer), await server.answer(malformed))
        await server.stop()
        #expect(answer.response.status == 401)
        #expect(answer.response.text == usual.response.text)
        #expect(answer.response.fields == usual.response.fields)
        let hint = "the scheme is Bearer: authenticate as a client with HTTP Basic"
        #expect(answer.detail == (isBearer ? hint : "the credentials are malformed"))
    }

    @Test("The log says why a client is refused, and the client is told the same in each case")
    func reasons() async throws {
        let scenario = try Scenario(withBroughtSecrets: false)
        let registry = try scenario.registry()
        let now = WallClock.now()
        let old = GeneratedSecret.make()
        let oldID = try registry.addSecret(
            SecretVerifier(old), to: try ClientID("review"), from: now - 2000, until: now + 1, at: now)
        let book = try ClientID("book")
        for secret in try registry.client(book).secrets {
            try registry.removeSecret(secret.id, of: book, at: now)
        }
        try await Task.sleep(for: .milliseconds(5))
        let server = try await InProcessServer.start(scenario)
        var texts: Set<String> = []
        let (wrong, oldText) = ("a-wrong-secret", old.reveal())
        for (client, secret, reason) in [
            ("nobody", wrong, "no client has this id"), ("disabled", wrong, "the client is disabled"),
            ("gateway", wrong, "the secret is wrong"), ("review", wrong, "the secret is wrong"),
            ("review", oldText, "the secret is \(oldID), which has ended"),
            ("gateway", oldText, "the secret is wrong"), ("book", wrong, "the client has no secret"),
        ] {
            let answer = await server.answer(.token(by: .basic(client, secret: secret), scenario: scenario))
            #expect(answer.detail == reason, "\(client)")
            texts.insert("\(answer.response.status) \(answer.response.fields) \(answer.response.text)")
        }
        await server.stop()
        #expect(texts.count == 1 && texts.first?.hasPrefix("401 ") == true, "\(texts)")
    }

    @Test(
        "A secret that was sent in the place of the client id is not in the log; the beginning of an unknown name is"
    )
    func secretAsClientID() async throws {
        let scenario = try Scenario(withBroughtSecrets: false)
        let server = try await InProcessServer.start(scenario)
        let secret = scenario.secret(of: "gateway")
        for header in [basic("\(secret):gateway"), basic("gw.\(secret):"), basic("gateway\(secret):x")] {
            let answer = await server.answer(.token(by: .header(header), scenario: scenario))
            #expect(answer.response.status == 401)
            let logged = "\(answer.client?.name ?? "") \(answer.detail ?? "")"
            #expect(!logged.contains(secret.prefix(8)) && !logged.contains(secret.suffix(8)))
        }
        let stranger = await server.answer(.token(by: .header(basic("gatwey:x")), scenario: scenario))
        #expect(stranger.client?.name == "gat…")
        let known = await server.answer(.token(by: .header(basic("gateway:x")), scenario: scenario))
        #expect(known.client?.name == "gateway")
        await server.stop()
    }

    @Test("Nor is it where too many secrets wait to be checked, and the line of a client still says which")
    func secretAsClientIDOfMany() async throws {
        let scenario = try Scenario()
        let server = try await InProcessServer.start(scenario)
        let secret = scenario.secret(of: "gateway")
        for (id, name) in [(secret, String(secret.prefix(4)) + "…"), ("colons", "colons")] {
            let headers = (0..<40).map { basic("\(id):\($0)") }
            let answers = await withTaskGroup(of: Answer.self) { group in
                for header in headers {
                    group.addTask { await server.answer(.token(by: .header(header), scenario: scenario)) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let refused = answers.filter { $0.detail == "too many secrets wait to be checked" }
            #expect(!refused.isEmpty && refused.allSatisfy { $0.response.status == 503 })
            #expect(Set(answers.map(\.client?.name)) == [name])
        }
        await server.stop()
    }

    @Test("Where two readings name two clients, the line names the one that there is")
    func twoReadings() async throws {
        let scenario = try Scenario()
        let registry = try scenario.registry()
        try registry.addClient(ClientDraft(id: ClientID("a+b")), at: WallClock.now())
        let server = try await InProcessServer.start(scenario)
        let answer = await server.answer(.token(by: .header(basic("a+b:x")), scenario: scenario))
        #expect(answer.detail == "the client has no secret" && answer.client?.name == "a+b")
        await server.stop()
    }

    private func basic(_ pair: String) -> String { "Basic " + Data(pair.utf8).base64EncodedString() }
}
