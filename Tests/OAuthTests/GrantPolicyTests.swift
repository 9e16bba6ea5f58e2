import OAuth
import ServerCases
import Testing

/// Design rule 1: a token never says more at any of its audiences than the registry grants there.
@Suite("Grant policy")
struct GrantPolicyTests {
    /// Another one is tried by changing it here; a failure names the request, so that it can be tried alone.
    static let seed: UInt64 = 20_260_101

    @Test("Rule 1: 10,000 random registries and requests are decided as the model says")
    func agreesWithModel() throws {
        var random = SeededGenerator(seed: Self.seed)
        var issued = 0
        var refused: [String: Int] = [:]
        for number in 0..<10_000 {
            let request = RandomRequest(using: &random)
            let outcome = Result { () throws(OAuthError) in try request.decide() }
            let expected = request.model()
            switch (outcome, expected) {
            case (.success(let decision), .token(let audience, let scopes)):
                issued += 1
                #expect(Set(decision.audience.map(\.value)) == audience, "\(Self.seed)/\(number): \(request)")
                #expect(Set(decision.scopes.map(\.value)) == scopes, "\(Self.seed)/\(number): \(request)")
                #expect(request.isTrue(decision), "\(Self.seed)/\(number): \(request)")
            case (.failure(let error), .error(let code)):
                refused[code, default: 0] += 1
                #expect(error.code.rawValue == code, "\(Self.seed)/\(number): \(request)")
            default:
                Issue.record("\(Self.seed)/\(number): \(outcome) instead of \(expected) for \(request)")
            }
        }
        // A generator that makes one kind of request alone would prove nothing.
        #expect(issued > 1000 && (refused["invalid_scope"] ?? 0) > 1000)
        #expect((refused["invalid_target"] ?? 0) > 1000)
    }

    @Test("The audience is in order and has no duplicates, and so have the scopes")
    func isOrdered() throws {
        let held = [
            try ResourceID("b"): Scopes(["y", "x"].map(Self.scope)), try ResourceID("a"): ["x", "y"],
        ]
        let twice = [try ResourceID("b"), try ResourceID("a"), try ResourceID("b")]
        let decision = try GrantPolicy.decide(held: held, resources: twice, requested: Scopes())
        #expect(decision.audience.map(\.value) == ["a", "b"])
        #expect(decision.scopes.description == "x y")
    }

    @Test("T29: a resource at which nothing is left is never an audience")
    func ignoresEmptyGrants() throws {
        let held = [try ResourceID("a"): Scopes(), try ResourceID("b"): ["read"]]
        let decision = try GrantPolicy.decide(held: held, resources: [], requested: Scopes())
        #expect(decision.audience.map(\.value) == ["b"])
        #expect(throws: OAuthError.self) {
            try GrantPolicy.decide(held: held, resources: [try ResourceID("a")], requested: Scopes())
        }
        #expect(throws: OAuthError.self) {
            try GrantPolicy.decide(held: [:], resources: [], requested: Scopes())
        }
    }

    private static func scope(_ text: String) -> Scope {
        guard let scope = try? Scope(text) else { preconditionFailure("\(text) is no scope") }
        return scope
    }
}
