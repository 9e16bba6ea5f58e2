import AuthStore
import JOSE
import OAuth
import ServerCases
import Testing

@testable import AuthServer

/// No token is issued that this server would take for none when it is introspected or revoked.
@Suite("Tokens that would be too large")
struct TokenSizeTests {
    @Test("Too many scopes are invalid_scope, as many as fit are issued and recognized")
    func scopes() async throws {
        let scenario = try Scenario(withBroughtSecrets: false)
        let scopes = try (0..<400).map { try Scope("scope.\(1_000_000 + $0).with.a.very.long.name") }
        let registry = try scenario.registry()
        try registry.addResource(ResourceID("RESOURCE_ID_LARGE"), scopes: Scopes(scopes), at: 1)
        try registry.grant(Scopes(scopes), at: ResourceID("RESOURCE_ID_LARGE"), to: ClientID("app"), at: 1)
        let server = try await InProcessServer.start(scenario)
        let dialogue = Dialogue(server: server)
        let all = try await dialogue.token("resource=RESOURCE_ID_LARGE", by: .basic("app"))
        all.isError(400, "invalid_scope")
        #expect(
            all.response.json?["error_description"]
                == "the token would be larger than 16384 bytes: ask for fewer scopes, by the parameter scope")
        let some = scopes.prefix(200).map(\.value).joined(separator: "+")
        let token = try await dialogue.issue("resource=RESOURCE_ID_LARGE&scope=\(some)", to: "app")
        #expect(token.utf8.count > 8000)
        try await dialogue.introspect(token, by: .basic("app")).has(status: 200)
        try await dialogue.revoke(token, by: .basic("app")).has(status: 200)
        #expect(dialogue.problems == [])
        await server.stop()
    }

    @Test("Too many audiences are invalid_target")
    func audiences() async throws {
        let scenario = try Scenario(withBroughtSecrets: false)
        let registry = try scenario.registry()
        for number in 100..<200 {
            let resource = try ResourceID("https://\(String(repeating: "x", count: 200)).example/\(number)")
            try registry.addResource(resource, scopes: Scopes(parsing: "deep"), at: 1)
            try registry.grant(Scopes(parsing: "deep"), at: resource, to: ClientID("app"), at: 1)
        }
        let server = try await InProcessServer.start(scenario)
        let dialogue = Dialogue(server: server)
        let all = try await dialogue.token("scope=deep", by: .basic("app"))
        all.isError(400, "invalid_target")
        #expect(
            all.response.json?["error_description"]
                == "the token would be larger than 16384 bytes: ask for fewer resources, by the parameter resource"
        )
        #expect(dialogue.problems == [])
        await server.stop()
    }
}
