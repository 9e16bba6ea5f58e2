public import JOSE
public import OAuth

/// What a text says that has the form of an access token (RFC 9068 §2.2). Anybody can write such a text: believe
/// nothing of it before `AccessTokenValidation.verify`. An object, since it has many parts and is handed on often.
public final class UnverifiedAccessToken: Sendable {
    /// The signed text, with the header that names the key.
    public let jws: CompactJWS
    /// The claims. Members of `aud` that are no resource identifiers of this product are left out, so that
    /// `audience` may be empty; fractions of a second are cut off.
    public let claims: AccessTokenClaims
    /// `sub`: the client id for a token of the client-credentials grant.
    public var subject: String { otherSubject ?? claims.clientID.value }
    /// `sub` where it is not the client id: what is the same is held once.
    private let otherSubject: String?
    /// `exp` with its fraction, in seconds since 1970.
    public let expiresAt: Double
    /// `nbf` with its fraction, where it is there.
    public let notBefore: Double?

    init(jws: consuming CompactJWS, _ read: consuming ReadClaims) {
        self.jws = jws
        claims = read.claims
        otherSubject = read.otherSubject
        expiresAt = read.expiresAt
        notBefore = read.notBefore
    }

    /// All claims as they stand in the payload, which is read for it.
    public var members: JSONObject { (try? JSON.parse(jws.payload))?.object ?? JSONObject() }
}

/// An access token whose signature, issuer, audience and times were checked.
public struct VerifiedAccessToken: Sendable {
    private let token: UnverifiedAccessToken

    /// The claims; see `UnverifiedAccessToken.claims`.
    public var claims: AccessTokenClaims { token.claims }
    /// `sub`: the client id for a token of the client-credentials grant.
    public var subject: String { token.subject }
    /// All claims as they stand in the payload, which is read for it.
    public var members: JSONObject { token.members }

    init(_ token: UnverifiedAccessToken) { self.token = token }
}

/// What is read of a payload: see the members of `UnverifiedAccessToken`.
struct ReadClaims: Equatable {
    let claims: AccessTokenClaims
    let otherSubject: String?
    let expiresAt: Double
    let notBefore: Double?
}
