public import OAuth
internal import SQLite

/// From when on the tokens that a client had are inactive.
public struct ClientRevocation: Sendable, Hashable {
    /// The client, which may have been removed since.
    public let client: ClientID
    /// Tokens issued up to this moment are inactive.
    public let revokedAt: Milliseconds
    /// When the last such token has ended, so that nothing need remember it.
    public let keepUntil: Milliseconds
}

extension Registry {
    /// Ends all tokens that a client has; it can get new ones.
    /// - Returns: what a token store must be told.
    /// - Throws: `notFound` for a client that is neither registered nor was removed lately.
    @discardableResult
    public func recordRevocation(
        of client: ClientID, at now: Milliseconds
    ) throws(StoreError) -> ClientRevocation {
        try transaction { () throws(StoreError) in
            let old = try revocation(of: client)
            if old == nil { _ = try existing(client) }
            let new = try insertRevocation(of: client, at: now)
            if new != old { try record(.tokenRevokeAll, client: client, at: now) }
            return new
        }
    }

    /// Moves the moment of a revocation that was recorded just now, with what it belongs to, to one after its commit.
    @discardableResult
    package func completeRevocation(
        of client: ClientID, at now: Milliseconds
    ) throws(StoreError) -> ClientRevocation {
        try transaction { () throws(StoreError) in try insertRevocation(of: client, at: now) }
    }

    /// All revocations that tokens still living may be compared with.
    public func revocations(at now: Milliseconds) throws(StoreError) -> [ClientRevocation] {
        try reading { () throws(StoreError) in
            try connection.clientRevocations().filter { $0.keepUntil > now }
        }
    }

    /// The longest lifetime, in seconds, that any token may have been issued with; it never falls.
    public func longestTokenLifetime() throws(StoreError) -> Int64 {
        try reading { () throws(StoreError) in
            try connection.longestTokenLifetime()
        }
    }

    /// Records a revocation in the open transaction, and forgets those whose last token has ended.
    @discardableResult
    func insertRevocation(of client: ClientID, at now: Milliseconds) throws(StoreError) -> ClientRevocation {
        // A minute more, for clocks that differ.
        let keepUntil = now + (try longestTokenLifetime() + 60) * 1000
        try connection.change("DELETE FROM client_revocations WHERE keep_until <= ?", [.integer(now)])
        try connection.change(
            """
            INSERT INTO client_revocations (client_id, revoked_at, keep_until) VALUES (?, ?, ?)
            ON CONFLICT (client_id) DO UPDATE SET
                revoked_at = max(revoked_at, excluded.revoked_at), keep_until = max(keep_until, excluded.keep_until)
            """, [.text(client.value), .integer(now), .integer(keepUntil)])
        guard let revocation = try revocation(of: client) else {
            throw StoreError(.io, "a revocation was not kept")
        }
        return revocation
    }

    private func revocation(of client: ClientID) throws(StoreError) -> ClientRevocation? {
        try connection.one(
            "SELECT revoked_at, keep_until FROM client_revocations WHERE client_id = ?", [.text(client.value)]
        ) { ClientRevocation(client: client, revokedAt: $0.moment(0), keepUntil: $0.moment(1)) }
    }
}

extension Connection {
    /// All revocations that are kept.
    func clientRevocations() throws(StoreError) -> [ClientRevocation] {
        try all("SELECT client_id, revoked_at, keep_until FROM client_revocations ORDER BY client_id", []) {
            row throws(StoreError) in
            ClientRevocation(
                client: try row.clientID(0), revokedAt: row.moment(1), keepUntil: row.moment(2))
        }
    }
}
