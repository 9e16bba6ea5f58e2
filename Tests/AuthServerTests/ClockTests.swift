import AuthStore
import OAuth
import Testing

@testable import AuthServer
@testable import ServerCases

@Suite("A clock that is set back")
struct ClockTests {
    @Test(
        "A token that a client receives after its tokens were ended is active, whatever the clock does",
        arguments: [0, 1, 1000, 7_200_000] as [Milliseconds])
    func tokenAfterRevocation(step: Milliseconds) async throws {
        let server = try await InProcessServer.start(Scenario(withBroughtSecrets: false))
        let ends = ServerCase("the client's tokens are ended") { dialogue in
            let earlier = try await dialogue.issue()
            let registry = try server.scenario.registry()
            let moment = server.now + step
            try registry.recordRevocation(of: ClientID("gateway"), at: moment)
            try await server.endTokens(of: ClientID("gateway"), at: moment)
            try await dialogue.introspect(earlier).isInactive()
            try await dialogue.introspect(try await dialogue.issue()).isActive()
        }
        let problems = try await ends.problems(on: server)
        await server.stop()
        #expect(problems == [])
    }
}
