/// The claims of an access token (RFC 9068 §2.2).
public struct AccessTokenClaims: Sendable, Hashable {
    /// `iss`: the authorization server.
    public var issuer: String
    /// `aud`: where the token is meant to be used; never empty in a valid token.
    public var audience: [ResourceID]
    /// `client_id`, and `sub` with the same value: the client that the token was issued to.
    public var clientID: ClientID
    /// `iat`, in seconds since 1970.
    public var issuedAt: Int64
    /// `exp`, in seconds since 1970: from this second on the token is expired.
    public var expiresAt: Int64
    /// `jti`.
    public var tokenID: TokenID
    /// `scope`: true at each member of `audience`.
    public var scopes: Scopes

    /// Claims with all their members.
    public init(
        issuer: String, audience: [ResourceID], clientID: ClientID, issuedAt: Int64, expiresAt: Int64,
        tokenID: TokenID, scopes: Scopes
    ) {
        self.issuer = issuer
        self.audience = audience
        self.clientID = clientID
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.tokenID = tokenID
        self.scopes = scopes
    }
}
