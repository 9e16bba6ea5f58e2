public import OAuth

/// Where issued tokens are known and revoked.
///
/// A token is recorded before its client has it; a token that the store does not know is not active.
/// Every call ends within the store's deadline and recovers by itself once the store is back.
public protocol TokenStore: Sendable {
    /// Keeps a token until it expires. Only after this returned may the client be given it.
    nonisolated(nonsending) func record(_ token: StoredToken) async throws(TokenStoreError)

    /// Whether a token is stored, unexpired, unrevoked, and issued after its client's last revocation.
    /// - Parameters:
    ///   - id: its `jti`.
    ///   - client: the client that it was issued to.
    ///   - end: its `exp`; nil where it is not known, and then an embedded store has to search.
    nonisolated(nonsending) func status(
        of id: TokenID, client: ClientID, expiringAt end: Int64?
    ) async throws(TokenStoreError) -> TokenStatus

    /// Ends a token (RFC 7009 §2.1); one that is unknown or ended already is no error.
    /// - Parameters:
    ///   - id: its `jti`.
    ///   - end: its `exp`; nil where it is not known, and then an embedded store has to search.
    nonisolated(nonsending) func revoke(_ id: TokenID, expiringAt end: Int64?) async throws(TokenStoreError)

    /// Ends all tokens of a client that were issued at or before a moment. A later moment is never replaced
    /// by an earlier one.
    /// - Parameters:
    ///   - client: the client whose tokens end.
    ///   - milliseconds: the moment, in milliseconds since 1970.
    ///   - seconds: how long to remember it: at least the longest lifetime of a token.
    nonisolated(nonsending) func revokeAll(
        of client: ClientID, at milliseconds: Int64, keepFor seconds: Int64
    ) async throws(TokenStoreError)

    /// Whether the store answers.
    nonisolated(nonsending) func ping() async throws(TokenStoreError)
}

extension TokenStore {
    /// Whether a token is active whose `exp` is not known.
    nonisolated(nonsending) public func status(
        of id: TokenID, client: ClientID
    ) async throws(TokenStoreError) -> TokenStatus {
        try await status(of: id, client: client, expiringAt: nil)
    }

    /// Ends a token whose `exp` is not known.
    nonisolated(nonsending) public func revoke(_ id: TokenID) async throws(TokenStoreError) {
        try await revoke(id, expiringAt: nil)
    }

    /// Ends the tokens that the registry says have ended, and remembers it for as long as the registry does.
    /// - Parameter now: the moment, in milliseconds since 1970.
    nonisolated(nonsending) public func end(
        _ revocation: ClientRevocation, at now: Milliseconds
    ) async throws(TokenStoreError) {
        // A part of a second counts as a whole one: rather too long than too short.
        let seconds = max(1, (revocation.keepUntil - now + 999) / 1000)
        try await revokeAll(of: revocation.client, at: revocation.revokedAt, keepFor: seconds)
    }
}
