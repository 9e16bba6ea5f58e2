import AuthStore
import HTTP
import JOSE
import OAuth
import ServerCases
import Testing

/// Design rule 1 from end to end: a real registry, the endpoint, and the model of `RandomRequest`.
@Suite("Rule 1 at the endpoint")
struct RegistryPropertyTests {
    private static let seed: UInt64 = 20_260_102

    @Test("300 random registries and requests are answered as the model says")
    func agreesWithModel() async throws {
        let scenario = try Scenario(withBroughtSecrets: false)
        let registry = try scenario.registry()
        try addResources(to: registry)
        let server = try await InProcessServer.start(scenario)
        let dialogue = Dialogue(server: server)
        var random = SeededGenerator(seed: Self.seed)
        var issued = 0
        for number in 0..<300 {
            let request = RandomRequest(using: &random)
            let secret = try add("client-\(number)", request, to: registry)
            let exchange = try await dialogue.token(
                form(request), by: .basic("client-\(number)", secret: secret))
            switch expected(request) {
            case .token(let audience, let scopes):
                issued += 1
                exchange.isToken(for: audience.sorted(), scope: scopes.sorted().joined(separator: " "))
            case .error(let code): exchange.isError(400, code)
            }
            #expect(dialogue.problems == [], "\(Self.seed)/\(number): \(request)")
        }
        #expect(issued > 30)
        await server.stop()
    }

    private func addResources(to registry: Registry) throws {
        for number in 1...4 {
            try registry.addResource(
                ResourceID("R\(number)"), scopes: Scopes(parsing: "a b c d e f"), at: WallClock.now())
        }
    }

    /// The registry holds no grant without scopes: a resource with none is one that is not granted.
    private func expected(_ request: RandomRequest) -> RandomRequest.Expectation {
        let isEmpty = request.resources.contains { request.held[$0]?.isEmpty == true }
        return isEmpty ? .error("invalid_target") : request.model()
    }

    private func add(_ name: String, _ request: RandomRequest, to registry: Registry) throws -> String {
        let id = try ClientID(name)
        let now = WallClock.now()
        let secret = GeneratedSecret.make()
        let verifier = SecretVerifier(secret)
        try registry.addClient(ClientDraft(id: id), at: now)
        try registry.addSecret(verifier, to: id, from: now, at: now)
        for (resource, scopes) in request.held where !scopes.isEmpty {
            try registry.grant(
                Scopes(parsing: scopes.joined(separator: " ")), at: ResourceID(resource), to: id, at: now)
        }
        return secret.reveal()
    }

    private func form(_ request: RandomRequest) -> String {
        let scope =
            request.requested.isEmpty ? [] : [("scope", request.requested.shuffled().joined(separator: " "))]
        return Form.of(request.resources.map { ("resource", $0) } + scope)
    }
}
