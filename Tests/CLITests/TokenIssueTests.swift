import AuthStore
import OAuth
import Synchronization
import TestSupport
import Testing

@testable import AuthServer

@Suite("token issue")
struct TokenIssueTests {
    private func workplace() async throws -> Workplace {
        let place = try Workplace()
        try await place.run("resource add RESOURCE_ID_BOOK --scopes read")
        try await place.run("client add gateway --grant RESOURCE_ID_BOOK=read")
        try await place.run("key rotate --now")
        return place
    }

    private func revoke(in place: Workplace, at moment: Milliseconds) throws {
        let registry = try Registry(path: place.directory.file("registry.db"), mode: .readWrite)
        try registry.recordRevocation(of: ClientID("gateway"), at: moment)
    }

    @Test("What ends a client's tokens after the registry was read ends the one that was on its way")
    func asOf() async throws {
        var place = try await workplace()
        let start = place.program.now * 1000
        let ticks = Atomic<Int64>(0)
        // Each look at the clock is a second later than the one before.
        place.program.clock = { start + ticks.wrappingAdd(1, ordering: .relaxed).oldValue * 1000 }
        let token = try await place.run("token issue --client gateway").output
        #expect(ticks.load(ordering: .relaxed) > 1)
        place.program.clock = { start + 1 }
        try await place.run("token revoke --client gateway")
        place.program.clock = { start + 60_000 }
        let outcome = await place.attempt("token inspect", input: token)
        #expect(outcome.exitCode == .failed)
        #expect(outcome.output.contains("inactive"))
    }

    @Test("A token that is issued after a revocation is active, though the clock is a little behind")
    func clockBehind() async throws {
        let place = try await workplace()
        try revoke(in: place, at: place.program.now * 1000 + 5000)
        let token = try await place.run("token issue --client gateway").output
        try await place.run("token inspect", input: token)
    }

    @Test("A token that nobody would read is refused")
    func tooLarge() async throws {
        let place = try await workplace()
        let scopes = (0..<90).map { "\(100 + $0)" + String(repeating: "s", count: 240) }
        try await place.run("resource add RESOURCE_ID_LARGE --scopes \(scopes.joined(separator: ","))")
        try await place.run("client grant gateway RESOURCE_ID_LARGE=\(scopes.joined(separator: ","))")
        let outcome = await place.attempt("token issue --client gateway --resource RESOURCE_ID_LARGE")
        #expect(outcome.exitCode == .failed && outcome.output.isEmpty)
        #expect(outcome.messages.contains("invalid_scope: the token would be larger than 16384 bytes"))
        try await place.run(
            "token issue --client gateway --resource RESOURCE_ID_LARGE --scope \(scopes[0])")
    }
}
