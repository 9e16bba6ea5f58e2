import ServerCases
import Testing

/// The cases that the real process is tried with as well: see IntegrationTests.
@Suite("Cases, without a socket", .servedWithoutSocket)
struct SharedCaseTests {
    @Test("Token endpoint", arguments: TokenCases.all)
    func token(_ serverCase: ServerCase) async throws {
        let problems = try await serverCase.problems(on: ServedWithoutSocket.server())
        #expect(problems == [])
    }

    @Test("Introspection and revocation", arguments: TokenStateCases.all)
    func tokenState(_ serverCase: ServerCase) async throws {
        let problems = try await serverCase.problems(on: ServedWithoutSocket.server())
        #expect(problems == [])
    }

    @Test("Keys, metadata and health", arguments: PublicCases.all)
    func published(_ serverCase: ServerCase) async throws {
        let problems = try await serverCase.problems(on: ServedWithoutSocket.server())
        #expect(problems == [])
    }
}
