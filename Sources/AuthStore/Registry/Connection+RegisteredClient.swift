internal import OAuth
internal import OpenSSLCrypto
internal import SQLite

/// Reading what the token endpoint needs, each in one view of the file.
extension Connection {
    /// A client, from its record: one B-tree is gone down, besides some that are small. Where records are out of date
    /// the tables are read, which takes longer and says the same.
    func registeredClient(_ id: ClientID) throws(StoreError) -> RegisteredClient? {
        try one(
            """
            SELECT c.disabled_at, r.revoked_at, c.token_lifetime, c.auth_method, c.secrets, c.grants,
                (SELECT group_concat(resource_id || char(10), '') FROM resources WHERE owner = c.client)
            FROM client_records c LEFT JOIN client_revocations r ON r.client_id = c.client_id
            WHERE c.client_id = ?1 AND NOT EXISTS (SELECT 1 FROM stale_client_records WHERE client = c.client)
            UNION ALL
            SELECT c.disabled_at, r.revoked_at, c.token_lifetime, c.auth_method, c.secrets, c.grants,
                (SELECT group_concat(resource_id || char(10), '') FROM resources WHERE owner = c.client)
            FROM (SELECT 1 FROM stale_client_records LIMIT 1) CROSS JOIN client_record_of c
                LEFT JOIN client_revocations r ON r.client_id = c.client_id
            WHERE c.client_id = ?1
            """, [.text(id.value)]
        ) { row throws(StoreError) in
            RegisteredClient(
                id: id, isDisabled: !row.isNull(0), tokensRevokedAtMilliseconds: row.optionalInteger(1),
                tokenLifetime: row.integer(2),
                authenticationMethod: try row.authenticationMethod(3),
                secrets: try RecordFields.secrets(row.text(4)), grants: try RecordFields.grants(row.text(5)),
                ownedResources: row.isNull(6) ? [] : try RecordFields.resources(row.text(6)))
        }
    }

    func failureCost() throws(StoreError) -> FailureCost {
        let most = try integer(
            """
            SELECT max(n) FROM (SELECT count(*) AS n FROM client_secrets WHERE kind = 'scrypt' GROUP BY client)
            """)
        return FailureCost(scryptDerivations: Int(most ?? 0))
    }
}

extension RecordFields {
    /// The secrets of a record, the newest first.
    fileprivate static func secrets(_ text: String) throws(StoreError) -> [ClientSecret] {
        var fields = RecordFields(text.utf8.span)
        var secrets: [(row: Int64, secret: ClientSecret)] = []
        while !fields.isAtEnd { secrets.append((try fields.integer(), try fields.secret())) }
        if secrets.count > 1 { secrets.sort { $0.row > $1.row } }
        return secrets.map(\.secret)
    }

    private mutating func secret() throws(StoreError) -> ClientSecret {
        let (notBefore, expiresAt) = (try integer(), try optionalInteger())
        let (n, r, p) = (try optionalInteger(), try optionalInteger(), try optionalInteger())
        let method: SecretVerifier.Method =
            if let n, let r, let p {
                .scrypt(
                    Scrypt.Parameters(
                        n: UInt64(clamping: n), r: UInt32(clamping: r), p: UInt32(clamping: p)))
            } else { .sha256 }
        let verifier = SecretVerifier(method, salt: try hexadecimal(), hash: try hexadecimal())
        return ClientSecret(
            id: try text(isLast: true), verifier: verifier, notBefore: notBefore, expiresAt: expiresAt)
    }

    /// The grants of a record, of which those at one resource mostly follow each other.
    fileprivate static func grants(_ text: String) throws(StoreError) -> [ResourceID: Scopes] {
        var fields = RecordFields(text.utf8.span)
        var grants: [ResourceID: Scopes] = [:]
        var (resource, scopes): (String?, [Scope]) = (nil, [])
        while !fields.isAtEnd {
            let next = try fields.text()
            if let resource, resource != next {
                try add(scopes, at: resource, to: &grants)
                scopes = []
            }
            resource = next
            scopes.append(try scope(try fields.text(isLast: true)))
        }
        if let resource { try add(scopes, at: resource, to: &grants) }
        return grants
    }

    private static func add(
        _ scopes: [Scope], at resource: String, to grants: inout [ResourceID: Scopes]
    ) throws(StoreError) {
        let id = try resourceID(resource)
        grants[id] = grants[id].map { $0.union(Scopes(scopes)) } ?? Scopes(scopes)
    }

    /// A list of resources, in order.
    fileprivate static func resources(_ text: String) throws(StoreError) -> [ResourceID] {
        var fields = RecordFields(text.utf8.span)
        var resources: [ResourceID] = []
        while !fields.isAtEnd { resources.append(try resourceID(try fields.text(isLast: true))) }
        return resources.sorted()
    }

    private static func resourceID(_ text: String) throws(StoreError) -> ResourceID {
        do { return try ResourceID(text) } catch { throw .corrupt(error) }
    }

    private static func scope(_ text: String) throws(StoreError) -> Scope {
        do { return try Scope(text) } catch { throw .corrupt(error) }
    }
}
