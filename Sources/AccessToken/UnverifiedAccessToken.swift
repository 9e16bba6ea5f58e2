public import JOSE
public import OAuth

/// What a text says that has the form of an access token (RFC 9068 §2.2). Anybody can write such a text: believe
/// nothing of it before `AccessTokenValidation.verify`.
public struct UnverifiedAccessToken: Sendable {
    /// The signed text, with the header that names the key.
    public let jws: CompactJWS
    /// The claims. Members of `aud` that are no resource identifiers of this product are left out, so that
    /// `audience` may be empty; fractions of a second are cut off.
    public let claims: AccessTokenClaims
    /// `sub`: the client id for a token of the client-credentials grant.
    public let subject: String
    /// `exp` with its fraction, in seconds since 1970.
    public let expiresAt: Double
    /// `nbf` with its fraction, where it is there.
    public let notBefore: Double?
    /// All claims as they stand in the payload.
    public let members: JSONObject
}

/// An access token whose signature, issuer, audience and times were checked.
public struct VerifiedAccessToken: Sendable {
    /// The claims; see `UnverifiedAccessToken.claims`.
    public let claims: AccessTokenClaims
    /// `sub`: the client id for a token of the client-credentials grant.
    public let subject: String
    /// All claims as they stand in the payload.
    public let members: JSONObject

    init(_ token: UnverifiedAccessToken) {
        claims = token.claims
        subject = token.subject
        members = token.members
    }
}
