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
}
