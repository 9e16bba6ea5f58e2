internal import OAuth
internal import OpenSSLCrypto
internal import SQLite

/// Reading what the token endpoint needs, each in one view of the file.
extension Connection {
    /// - Parameter sharedGrants: where grants are kept that other clients have, too.
    func registeredClient(
        _ id: ClientID, sharing sharedGrants: inout SharedGrants
    ) throws(StoreError) -> RegisteredClient? {
        try atomically(.deferred) { () throws(StoreError) in
            guard let row = try clientRow(id) else { return nil }
            return RegisteredClient(
                id: id, isDisabled: row.isDisabled, tokensRevokedAtMilliseconds: row.tokensRevokedAt,
                tokenLifetime: row.tokenLifetime, authenticationMethod: row.authenticationMethod,
                secrets: try clientSecrets(row.number),
                grants: sharedGrants.shared(try clientGrants(row.number)),
                ownedResources: try ownedResources(row.number))
        }
    }

    func failureCost() throws(StoreError) -> FailureCost {
        // SQLite would go through all secrets in the order of clients, and is asked after each change.
        let most = try integer(
            """
            SELECT max(n) FROM (
                SELECT count(*) AS n FROM client_secrets INDEXED BY client_secrets_brought
                WHERE kind = 'scrypt' GROUP BY client)
            """)
        return FailureCost(scryptDerivations: Int(most ?? 0))
    }

    private func clientRow(_ id: ClientID) throws(StoreError) -> ClientRow? {
        try one(
            """
            SELECT c.id, c.disabled_at, r.revoked_at, c.token_lifetime, c.auth_method
            FROM clients c LEFT JOIN client_revocations r ON r.client_id = c.client_id WHERE c.client_id = ?
            """, [.text(id.value)]
        ) { row throws(StoreError) in
            ClientRow(
                number: row.integer(0), isDisabled: !row.isNull(1), tokensRevokedAt: row.optionalMoment(2),
                tokenLifetime: row.tokenLifetime(3),
                authenticationMethod: try row.authenticationMethod(4))
        }
    }

    private func clientSecrets(_ client: Int64) throws(StoreError) -> [ClientSecret] {
        try all(
            """
            SELECT secret_id, salt, hash, scrypt_n, scrypt_r, scrypt_p, not_before, expires_at
            FROM client_secrets WHERE client = ? ORDER BY id DESC
            """, [.integer(client)]
        ) { row in
            let method: SecretVerifier.Method =
                row.isNull(3)
                ? .sha256
                : .scrypt(
                    Scrypt.Parameters(
                        n: UInt64(clamping: row.integer(3)), r: UInt32(clamping: row.integer(4)),
                        p: UInt32(clamping: row.integer(5))))
            return ClientSecret(
                id: row.text(0), verifier: SecretVerifier(method, salt: row.blob(1), hash: row.blob(2)),
                notBefore: row.moment(6), expiresAt: row.optionalMoment(7))
        }
    }

    private func clientGrants(_ client: Int64) throws(StoreError) -> [ResourceID: Scopes] {
        var scopes: [ResourceID: [Scope]] = [:]
        _ = try all(
            """
            SELECT o.resource_id, g.scope FROM grants g JOIN resources o ON o.id = g.resource WHERE g.client = ?
            """, [.integer(client)]
        ) { row throws(StoreError) in scopes[try row.resourceID(0), default: []].append(try row.scope(1)) }
        return scopes.mapValues { Scopes($0) }
    }

    private func ownedResources(_ client: Int64) throws(StoreError) -> [ResourceID] {
        try all(
            "SELECT resource_id FROM resources WHERE owner = ? ORDER BY resource_id", [.integer(client)]
        ) { row throws(StoreError) in try row.resourceID(0) }
    }
}

private struct ClientRow {
    let number: Int64
    let isDisabled: Bool
    let tokensRevokedAt: Milliseconds?
    let tokenLifetime: Int64
    let authenticationMethod: ClientAuthenticationMethod?
}
