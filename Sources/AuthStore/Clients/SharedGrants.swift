internal import OAuth

/// Grants that many clients have alike are kept once: they are a third of what a client takes in memory.
struct SharedGrants {
    private var known = BoundedCache<[ResourceID: Scopes], [ResourceID: Scopes]>(capacity: 1000)

    /// The same grants, in the memory of others that are equal where there are such.
    mutating func shared(_ grants: [ResourceID: Scopes]) -> [ResourceID: Scopes] {
        guard !grants.isEmpty else { return grants }
        if let kept = known[grants] { return kept }
        known[grants] = grants
        return grants
    }
}
