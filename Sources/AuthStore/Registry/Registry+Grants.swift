public import OAuth
internal import SQLite

extension Registry {
    /// Grants a client scopes at a resource, besides those it has there.
    /// - Throws: `notFound` for an unknown client, resource or scope, `invalid` for no scope at all.
    public func grant(
        _ scopes: Scopes, at resource: ResourceID, to client: ClientID, at now: Milliseconds
    ) throws(StoreError) {
        guard !scopes.isEmpty else {
            throw StoreError(.invalid, "a grant names scopes, such as \(resource)=read")
        }
        try transaction { () throws(StoreError) in
            let clientRow = try existing(client)
            let resourceRow = try existing(resource)
            try requireScopes(scopes, of: resource, row: resourceRow)
            var added: [Scope] = []
            for scope in scopes {
                let count = try connection.change(
                    "INSERT OR IGNORE INTO grants (client, resource, scope) VALUES (?, ?, ?)",
                    [.integer(clientRow), .integer(resourceRow), .text(scope.value)])
                if count > 0 { added.append(scope) }
            }
            guard !added.isEmpty else { return }
            try touch(clientRow, at: now)
            try record(.grantAdd, client: client, resource: resource, detail: .scopes(added), at: now)
        }
    }

    /// Takes grants back. Tokens that the client has keep what they say until they end or are revoked.
    /// - Parameter scopes: what to take back; nil for all that is granted at the resource.
    /// - Throws: `notFound` for an unknown client or resource, or when one of the scopes is not granted.
    public func revokeGrant(
        _ scopes: Scopes? = nil, at resource: ResourceID, from client: ClientID, at now: Milliseconds
    ) throws(StoreError) {
        try transaction { () throws(StoreError) in
            let clientRow = try existing(client)
            let resourceRow = try existing(resource)
            let held = try heldScopes(client: clientRow, resource: resourceRow)
            let missing = scopes?.subtracting(held) ?? Scopes()
            guard !held.isEmpty, missing.isEmpty else {
                throw StoreError(
                    .notFound,
                    "client \(client) holds \(held.isEmpty ? "nothing" : "only \(held)") at \(resource)")
            }
            let removed = scopes ?? held
            guard !removed.isEmpty else { return }
            for scope in removed {
                try connection.change(
                    "DELETE FROM grants WHERE client = ? AND resource = ? AND scope = ?",
                    [.integer(clientRow), .integer(resourceRow), .text(scope.value)])
            }
            try touch(clientRow, at: now)
            try record(
                .grantRemove, client: client, resource: resource, detail: .scopes(removed.sorted), at: now)
        }
    }

    private func heldScopes(client: Int64, resource: Int64) throws(StoreError) -> Scopes {
        Scopes(
            try connection.all(
                "SELECT scope FROM grants WHERE client = ? AND resource = ?",
                [.integer(client), .integer(resource)]
            ) { row throws(StoreError) in try row.scope(0) })
    }

    private func requireScopes(
        _ scopes: Scopes, of resource: ResourceID, row: Int64
    ) throws(StoreError) {
        let known = try self.scopes(ofRow: row)
        let unknown = scopes.subtracting(known)
        guard unknown.isEmpty else {
            throw StoreError(
                .notFound,
                "resource \(resource) has no scope \(unknown); it has \(known.isEmpty ? "none" : "\(known)")")
        }
    }
}
