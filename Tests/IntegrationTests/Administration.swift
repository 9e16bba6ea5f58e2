import ServerCases
import TestSupport
import Testing

/// The administrator at the command line of the same program, beside a running server.
struct Administration {
    private let session: ShellSession

    /// - Parameter redis: the token store's URL, where the server has one.
    init(_ scenario: Scenario, redis: String? = nil) throws {
        var variables = ["AUTHSERVER_DATABASE": scenario.database]
        variables["AUTHSERVER_REDIS"] = redis
        session = try ShellSession(variables)
    }

    /// Runs a command that must succeed.
    /// - Returns: what it printed.
    @discardableResult
    func run(_ command: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
        let outcome = try await session.run("authserver \(command)")
        try #require(outcome.status == 0, "authserver \(command)\n\(outcome)", sourceLocation: sourceLocation)
        return outcome.output.joined(separator: "\n")
    }

    /// Runs a command that must be refused.
    /// - Returns: what it said.
    func refusal(
        _ command: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let outcome = try await session.run("authserver \(command)")
        try #require(outcome.status == 1, "authserver \(command)\n\(outcome)", sourceLocation: sourceLocation)
        return outcome.messages.joined(separator: "\n")
    }
}
