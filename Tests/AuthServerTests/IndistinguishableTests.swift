import AuthStore
import ServerCases
import Testing

/// B13: an unknown client costs what a wrong secret costs.
@Suite("Time tells nobody which clients there are", .serialized)
struct IndistinguishableTests {
    /// With the fastest of many tries, what else the machine does is left out.
    @Test(
        "B13: an unknown client, a wrong secret and a disabled client take the same time",
        arguments: [(false, 200), (true, 10)])
    func time(withBroughtSecrets: Bool, tries: Int) async throws {
        let server = try await InProcessServer.start(Scenario(withBroughtSecrets: withBroughtSecrets))
        let dialogue = Dialogue(server: server)
        let names = ["nobody", "gateway", "disabled"]
        var fastest: [String: Duration] = [:]
        for _ in 0..<tries {
            for name in names {
                let start = ContinuousClock.now
                try await dialogue.token(by: .basic(name, secret: "x")).isUnauthenticated()
                fastest[name] = min(fastest[name] ?? .seconds(60), ContinuousClock.now - start)
            }
        }
        let times = names.compactMap { fastest[$0] }
        let low = try #require(times.min())
        let high = try #require(times.max())
        #expect(high < low * 6, "\(fastest)")
        // Where secrets were brought, a failure costs a derivation by scrypt, whoever it is. That nothing is faster
        // can be said on a busy machine too; that nothing is slower cannot.
        if withBroughtSecrets { #expect(low > (try derivationTime()) / 2, "\(fastest)") }
        #expect(dialogue.problems == [])
        await server.stop()
    }

    private func derivationTime() throws -> Duration {
        let verifier = SecretVerifier.decoy(.scrypt)
        return (0..<10).map { _ in
            ContinuousClock().measure { _ = verifier.verify(Array("x".utf8).span) }
        }.min() ?? .zero
    }
}
