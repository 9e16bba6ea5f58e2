import OAuth
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

/// What a client holds and asks for, as plain sets of texts.
struct RandomRequest: CustomStringConvertible {
    let held: [String: Set<String>]
    let resources: [String]
    let requested: Set<String>

    /// What the rule says, in sets alone: written apart from the code that it judges.
    enum Expectation { case token(audience: Set<String>, scopes: Set<String>), error(String) }

    func model() -> Expectation {
        if !Set(resources).isSubset(of: held.keys) { return .error("invalid_target") }
        let able = held.filter { !$0.value.isEmpty && requested.isSubset(of: $0.value) }.keys
        let audience = resources.isEmpty ? Set(able) : Set(resources)
        let common = audience.reduce(Set("abcdef".map(String.init))) { $0.intersection(held[$1] ?? []) }
        let scopes = requested.isEmpty ? common : requested
        if audience.isEmpty || scopes.isEmpty || !scopes.isSubset(of: common) {
            return .error("invalid_scope")
        }
        return .token(audience: audience, scopes: scopes)
    }

    /// A request with few names, so that they meet often.
    init(using random: inout SeededGenerator) {
        var held: [String: Set<String>] = [:]
        for resource in ["R1", "R2", "R3", "R4"] where Bool.random(using: &random) {
            held[resource] = Self.scopes(using: &random)
        }
        self.held = held
        let count = Int.random(in: 0...3, using: &random)
        resources = (0..<count).map { _ in
            let isKnown = Int.random(in: 0..<4, using: &random) > 0
            return (isKnown ? held.keys.sorted().randomElement(using: &random) : nil)
                ?? "R\(Int.random(in: 1...6, using: &random))"
        }
        requested = Bool.random(using: &random) ? [] : Self.scopes(using: &random)
    }

    private static func scopes(using random: inout SeededGenerator) -> Set<String> {
        let probability = Int.random(in: 1...5, using: &random)
        return Set(
            "abcdef".map(String.init).filter { _ in Int.random(in: 0...5, using: &random) < probability })
    }

    func decide() throws(OAuthError) -> GrantPolicy.Decision {
        var grants: [ResourceID: Scopes] = [:]
        for (resource, scopes) in held { grants[Self.resource(resource)] = Self.scopes(scopes) }
        return try GrantPolicy.decide(
            held: grants, resources: resources.map(Self.resource), requested: Self.scopes(requested))
    }

    /// The rule itself: every scope of the token is granted at every one of its audiences.
    func isTrue(_ decision: GrantPolicy.Decision) -> Bool {
        !decision.audience.isEmpty && !decision.scopes.isEmpty
            && decision.audience.allSatisfy { resource in
                decision.scopes.allSatisfy { held[resource.value]?.contains($0.value) == true }
            }
    }

    var description: String { "held \(held), resources \(resources), requested \(requested)" }

    private static func resource(_ text: String) -> ResourceID {
        guard let resource = try? ResourceID(text) else { preconditionFailure("\(text) is no resource") }
        return resource
    }

    private static func scopes(_ texts: Set<String>) -> Scopes {
        guard let scopes = try? Scopes(parsing: texts.joined(separator: " ")) else {
            preconditionFailure("\(texts) are no scopes")
        }
        return scopes
    }
}

/// SplitMix64: the same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
