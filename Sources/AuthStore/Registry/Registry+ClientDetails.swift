public import OAuth
internal import SQLite

extension Registry {
    /// A client with its secrets' names and its grants.
    /// - Throws: `notFound`.
    public func client(_ id: ClientID) throws(StoreError) -> ClientDetail {
        try reading { () throws(StoreError) in
            let row = try existing(id)
            guard let detail = try details("WHERE c.id = ?1", [.integer(row)]).first else {
                throw StoreError(.notFound, "there is no client \(id)")
            }
            return detail
        }
    }

    /// All clients, by id.
    public func listClients() throws(StoreError) -> [ClientDetail] {
        try reading { () throws(StoreError) in try details("", []) }
    }

    private func details(_ filter: String, _ values: [SQLiteValue]) throws(StoreError) -> [ClientDetail] {
        let secrets = Dictionary(grouping: try secretRows(filter, values), by: \.client)
        let owned = Dictionary(grouping: try ownedRows(filter, values), by: \.client)
        let grants = try grantRows(filter, values)
        return try connection.all(
            """
            SELECT c.id, c.client_id, c.name, c.token_lifetime, c.auth_method, c.created_at, c.updated_at,
                c.disabled_at, r.revoked_at
            FROM clients c LEFT JOIN client_revocations r ON r.client_id = c.client_id \(filter)
            ORDER BY c.client_id
            """, values
        ) { row throws(StoreError) in
            let number = row.integer(0)
            return ClientDetail(
                id: try row.clientID(1), name: row.text(2), tokenLifetime: row.tokenLifetime(3),
                authenticationMethod: try row.authenticationMethod(4),
                createdAt: row.moment(5), updatedAt: row.moment(6), disabledAt: row.optionalMoment(7),
                tokensRevokedAt: row.optionalMoment(8), secrets: secrets[number]?.map(\.value) ?? [],
                grants: grants[number] ?? [:], ownedResources: owned[number]?.map(\.value) ?? [])
        }
    }

    private func secretRows(
        _ filter: String, _ values: [SQLiteValue]
    ) throws(StoreError) -> [OfClient<SecretDetail>] {
        try connection.all(
            """
            SELECT c.id, s.secret_id, s.kind, s.created_at, s.not_before, s.expires_at
            FROM client_secrets s JOIN clients c ON c.id = s.client \(filter) ORDER BY s.id
            """, values
        ) { row throws(StoreError) in
            OfClient(
                client: row.integer(0),
                value: SecretDetail(
                    id: row.text(1), kind: SecretVerifier.Kind(rawValue: row.text(2)) ?? .sha256,
                    createdAt: row.moment(3), notBefore: row.moment(4), expiresAt: row.optionalMoment(5)))
        }
    }

    private func ownedRows(
        _ filter: String, _ values: [SQLiteValue]
    ) throws(StoreError) -> [OfClient<ResourceID>] {
        try connection.all(
            """
            SELECT c.id, o.resource_id FROM resources o JOIN clients c ON c.id = o.owner \(filter)
            ORDER BY o.resource_id
            """, values
        ) { row throws(StoreError) in OfClient(client: row.integer(0), value: try row.resourceID(1)) }
    }

    private func grantRows(
        _ filter: String, _ values: [SQLiteValue]
    ) throws(StoreError) -> [Int64: [ResourceID: Scopes]] {
        var scopes: [Int64: [ResourceID: [Scope]]] = [:]
        _ = try connection.all(
            """
            SELECT c.id, o.resource_id, g.scope
            FROM grants g JOIN clients c ON c.id = g.client JOIN resources o ON o.id = g.resource \(filter)
            """, values
        ) { row throws(StoreError) in
            scopes[row.integer(0), default: [:]][try row.resourceID(1), default: []].append(try row.scope(2))
        }
        return scopes.mapValues { $0.mapValues { Scopes($0) } }
    }
}

private struct OfClient<Value> {
    let client: Int64
    let value: Value
}
