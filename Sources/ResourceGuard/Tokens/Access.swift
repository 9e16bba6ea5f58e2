/// What a verified token allows at this resource: its client may do this, until then.
public struct Access: Sendable {
    let token: VerifiedToken
    /// This service's resource id, which the token's `aud` holds.
    public let resource: ResourceID

    /// `client_id`: the client that the token was issued to.
    public var clientID: ClientID { token.claims.clientID }
    /// `scope`: true at `resource`.
    public var scopes: Scopes { token.claims.scopes }
    /// `exp`, in seconds since 1970.
    public var expiresAt: Int64 { token.claims.expiresAt }
    /// `jti`.
    public var tokenID: TokenID { token.claims.tokenID }
    /// `sub`; the client id for a token of the client-credentials grant.
    public var subject: String { token.subject }
    /// The claims of RFC 9068 §2.2.
    public var claims: AccessTokenClaims { token.claims }
    /// All claims as the issuer signed them, a JSON object: decode it for claims beyond those.
    public var payload: [UInt8] { token.payload }
}
