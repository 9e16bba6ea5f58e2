/// What a token may say, decided from what the registry grants: a token never says more at any of its
/// audiences than the registry grants there, so its `scope` is true at each `aud`.
public enum GrantPolicy {
    /// What a token will carry.
    public struct Decision: Sendable, Hashable {
        /// The `aud` members, in order; never empty.
        public let audience: [ResourceID]
        /// The scopes, held at every member of `audience`; never empty.
        public let scopes: Scopes
    }

    /// Decides a request of the client-credentials grant (RFC 6749 §4.4.2, RFC 8707 §2).
    ///
    /// - Parameters:
    ///   - held: what the client may do, by resource.
    ///   - resources: the `resource` parameters, possibly none.
    ///   - requested: the scopes asked for; empty for none.
    /// - Throws: `invalid_target` for a resource without a grant, `invalid_scope` where no audience or no
    ///   scope is left.
    public static func decide(
        held: [ResourceID: Scopes], resources: [ResourceID], requested: Scopes
    ) throws(OAuthError) -> Decision {
        let named = try namedAudience(held: held, resources: resources)
        let audience = named ?? everyAudience(held: held, of: requested)
        guard let first = audience.first else {
            throw .invalidScope(
                held.isEmpty
                    ? "this client has no grant: ask an administrator to grant it a resource and scopes"
                    : "no resource grants this client all requested scopes" + hint(on: requested))
        }
        var common = held[first] ?? Scopes()
        for resource in audience.dropFirst() { common = common.intersection(held[resource] ?? Scopes()) }
        guard common.isSuperset(of: requested) else {
            throw .invalidScope(
                "a requested scope is not granted at every requested resource" + hint(on: requested))
        }
        let scopes = requested.isEmpty ? common : requested
        guard !scopes.isEmpty else {
            throw .invalidScope("no scope is granted at every resource: name a resource or a scope")
        }
        return Decision(audience: audience, scopes: scopes)
    }

    /// Who writes scopes as a command of this server takes them asks for one that is called `read,write`.
    private static func hint(on requested: Scopes) -> String {
        let hasComma = requested.contains { $0.value.utf8.contains(UInt8(ascii: ",")) }
        return hasComma ? ": scopes are separated by spaces (RFC 6749 section 3.3), not commas" : ""
    }

    /// The resources where all requested scopes are held, and any at all, in order.
    private static func everyAudience(held: [ResourceID: Scopes], of requested: Scopes) -> [ResourceID] {
        var audience: [ResourceID] = []
        for (resource, scopes) in held where !scopes.isEmpty && scopes.isSuperset(of: requested) {
            audience.append(resource)
        }
        if audience.count > 1 { audience.sort() }
        return audience
    }

    private static func namedAudience(
        held: [ResourceID: Scopes], resources: [ResourceID]
    ) throws(OAuthError) -> [ResourceID]? {
        guard !resources.isEmpty else { return nil }
        guard resources.allSatisfy({ held[$0] != nil }) else { throw .invalidTarget }
        return Set(resources).sorted()
    }
}
