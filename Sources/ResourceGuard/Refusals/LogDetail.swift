internal import AccessToken
internal import JOSE
internal import OperatingSystem
internal import OutboundHTTP

/// What the log is told of a refused token: whose it is, and what of it is not in order; or why there is none.
///
/// Only of a token whose signature was verified: any other was written by anybody, and may name whomever he likes. What
/// it holds is quoted, so that it stays on its line, and cut.
enum LogDetail {
    // What a request without a token has instead. Not a word of it: it may be a secret, or the token by itself.
    static let noHeader = "no Authorization header"
    static let anotherScheme = "another scheme than Bearer"
    static let noScheme =
        "a malformed Authorization header: not a scheme, a space and credentials; perhaps Bearer is missing"

    /// Whose token it is, and which.
    static func identity(_ claims: AccessTokenClaims) -> String {
        "client \(LogText.quoted(claims.clientID.value)), jti \(LogText.quoted(claims.tokenID.value))"
    }

    /// A token that lacks a scope.
    static func lackingScope(_ claims: AccessTokenClaims) -> String {
        identity(claims) + ", its scope " + LogText.quoted(claims.scopes.description)
    }

    /// A token that has expired.
    static func expired(_ claims: AccessTokenClaims, now: Int64) -> String {
        times(of: claims, "exp", claims.expiresAt, now: now)
    }

    /// A token whose claims were refused.
    static func text(_ error: AccessTokenError, of token: UnverifiedAccessToken, now: Int64) -> String {
        let claims = token.claims
        switch error {
        case .wrongAudience:
            return identity(claims) + ", its aud " + LogText.quoted(audience(of: token))
        case .expired: return expired(claims, now: now)
        case .notYetValid:
            return times(of: claims, "nbf", Int64((token.notBefore ?? 0).rounded(.down)), now: now)
        default: return identity(claims)
        }
    }

    /// With `iat`, since it tells a token that is old from a clock that is wrong.
    private static func times(
        of claims: AccessTokenClaims, _ limit: String, _ time: Int64, now: Int64
    ) -> String {
        identity(claims)
            + ", iat \(UniversalTime.text(claims.issuedAt)), \(limit) \(UniversalTime.text(time))"
            + "; this machine's clock says \(UniversalTime.text(now))"
    }

    /// `aud` as the token has it, also with members that are no resource ids of this product.
    private static func audience(of token: UnverifiedAccessToken) -> String {
        switch token.members["aud"] {
        case .string(let text): text
        case .array(let values): values.compactMap(\.string).joined(separator: " ")
        default: ""
        }
    }
}
