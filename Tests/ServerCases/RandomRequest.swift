package import OAuth

/// What a client holds and asks for, as plain sets of texts.
package struct RandomRequest: Sendable, CustomStringConvertible {
    package let held: [String: Set<String>]
    package let resources: [String]
    package let requested: Set<String>

    /// What the rule says, in sets alone: written apart from the code that it judges.
    package enum Expectation: Sendable {
        case token(audience: Set<String>, scopes: Set<String>), error(String)
    }

    package func model() -> Expectation {
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
    package init(using random: inout SeededGenerator) {
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

    package func decide() throws(OAuthError) -> GrantPolicy.Decision {
        var grants: [ResourceID: Scopes] = [:]
        for (resource, scopes) in held { grants[Self.resource(resource)] = Self.scopes(scopes) }
        return try GrantPolicy.decide(
            held: grants, resources: resources.map(Self.resource), requested: Self.scopes(requested))
    }

    /// The rule itself: every scope of the token is granted at every one of its audiences.
    package func isTrue(_ decision: GrantPolicy.Decision) -> Bool {
        !decision.audience.isEmpty && !decision.scopes.isEmpty
            && decision.audience.allSatisfy { resource in
                decision.scopes.allSatisfy { held[resource.value]?.contains($0.value) == true }
            }
    }

    package var description: String { "held \(held), resources \(resources), requested \(requested)" }

    private static func resource(_ text: String) -> ResourceID {
        guard let resource = try? ResourceID(text) else { preconditionFailure("\(text) is no resource") }
        return resource
    }

    private static func scopes(_ texts: Set<String>) -> Scopes {
        guard let scopes = try? Scopes(value: texts.joined(separator: " ")) else {
            preconditionFailure("\(texts) are no scopes")
        }
        return scopes
    }
}
