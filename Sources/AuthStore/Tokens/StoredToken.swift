public import OAuth

/// What a token store keeps of an issued token: enough to know that it is active, nothing that could be replayed.
public struct StoredToken: Sendable, Hashable {
    /// `jti`: the key.
    public let tokenID: TokenID
    /// The client that the token was issued to.
    public let clientID: ClientID
    /// When it was issued, in milliseconds since 1970: what a revocation of its client is compared with.
    public let issuedAtMilliseconds: Int64
    /// `exp`, in seconds since 1970: from this second on the token is inactive and the store may forget it.
    public let expiresAt: Int64

    /// A token with all that is kept of it.
    public init(tokenID: TokenID, clientID: ClientID, issuedAtMilliseconds: Int64, expiresAt: Int64) {
        self.tokenID = tokenID
        self.clientID = clientID
        self.issuedAtMilliseconds = issuedAtMilliseconds
        self.expiresAt = expiresAt
    }
}
