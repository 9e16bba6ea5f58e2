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
        try registry.addSecret(
            SecretVerifier(GeneratedSecret.make()), to: try ClientID("review"), from: now - 2000,
            until: now + 1, at: now)
        let book = try ClientID("book")
        for secret in try registry.client(book).secrets {
            try registry.removeSecret(secret.id, of: book, at: now)
        }
        try await Task.sleep(for: .milliseconds(5))
        let server = try await InProcessServer.start(scenario)
        var texts: Set<String> = []
        for (client, reason) in [
            ("nobody", "no client has this id"), ("disabled", "the client is disabled"),
            ("gateway", "the secret is wrong"), ("review", "the secret is wrong, or one that has ended"),
            ("book", "the client has no secret"),
        ] {
            let answer = await server.answer(
                .token(by: .basic(client, secret: "a-wrong-secret"), scenario: scenario))
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
            let logged = "\(answer.clientID?.value ?? "") \(answer.detail ?? "")"
            #expect(!logged.contains(secret.prefix(8)) && !logged.contains(secret.suffix(8)))
        }
        let stranger = await server.answer(.token(by: .header(basic("gatwey:x")), scenario: scenario))
        #expect(stranger.clientID?.value == "gat…")
        let known = await server.answer(.token(by: .header(basic("gateway:x")), scenario: scenario))
        #expect(known.clientID?.value == "gateway")
        await server.stop()
    }

    private func basic(_ pair: String) -> String { "Basic " + Data(pair.utf8).base64EncodedString() }
}
