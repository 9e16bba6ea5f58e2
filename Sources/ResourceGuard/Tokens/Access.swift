/// What a verified token allows at this resource: its client may do this, until then. Neither its description nor its
/// reflection shows the token.
public struct Access: Sendable, CustomStringConvertible, CustomReflectable {
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

    /// Who may do what where, and by which token's `jti`.
    public var description: String {
        "\(LogText.quoted(clientID.value)) may use \(resource) for: \(scopes) (jti \(tokenID))"
    }
    /// What the description says, and until when.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "clientID": clientID.value, "resource": resource.value, "scopes": scopes.description,
                "expiresAt": expiresAt, "tokenID": tokenID.value,
            ])
    }
}
