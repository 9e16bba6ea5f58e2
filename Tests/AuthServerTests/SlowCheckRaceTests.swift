import AuthStore
import HTTP
import OAuth
import Testing

@testable import AuthServer
@testable import ServerCases

@Suite("What changes while a secret is checked")
struct SlowCheckRaceTests {
    /// Wrong secrets ahead of it keep the right one waiting for as long as the change takes.
    @Test("A client that is disabled while its right secret waits for scrypt gets no token (T23)")
    func disabledMeanwhile() async throws {
        let server = try await InProcessServer.start(Scenario())
        let scenario = server.scenario
        let statuses = try await withThrowingTaskGroup(of: (isRight: Bool, status: Int).self) { group in
            for number in 0..<12 {
                group.addTask {
                    let wrong = Credentials.basic("plus", secret: "wrong-\(number)")
                    return (false, try await server.send(.token(by: wrong, scenario: scenario)).status)
                }
            }
            group.addTask {
                (true, try await server.send(.token(by: .basic("colons"), scenario: scenario)).status)
            }
            try await Task.sleep(for: .milliseconds(30))
            try scenario.registry().setDisabled(true, client: ClientID("colons"), at: server.now)
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.filter(\.isRight).map(\.status) == [401])
        await server.stop()
    }
}
