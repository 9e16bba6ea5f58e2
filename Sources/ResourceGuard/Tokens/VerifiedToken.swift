internal import AccessToken
internal import JOSE

/// A token whose signature, claims and audience were found in order: another type than what was merely read.
final class VerifiedToken: Sendable {
    let bytes: [UInt8]
    let claims: AccessTokenClaims
    let subject: String
    let payload: [UInt8]
    /// The revision of the keys that it was verified with.
    let keyRevision: Int

    init(bytes: [UInt8], _ token: UnverifiedAccessToken, keyRevision: Int) {
        self.bytes = bytes
        claims = token.claims
        subject = token.subject
        payload = token.jws.payload
        self.keyRevision = keyRevision
    }

    /// Whether it is good at this second without another look at its claims or signature. The leeway does not
    /// count here: past `exp` a token is judged anew.
    func isUsable(at date: Int64, keyRevision: Int) -> Bool {
        self.keyRevision == keyRevision && date < claims.expiresAt
    }
}
