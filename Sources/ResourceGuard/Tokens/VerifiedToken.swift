internal import AccessToken
internal import JOSE

/// A token whose signature, claims and audience were found in order: another type than what was merely read.
struct VerifiedToken: Sendable {
    private let token: UnverifiedAccessToken
    /// The revision of the keys that it was verified with.
    let keyRevision: Int

    /// The token as it was sent.
    var text: TokenText { token.jws.token }
    var claims: AccessTokenClaims { token.claims }
    var subject: String { token.subject }
    var payload: [UInt8] { token.jws.payload }

    init(_ token: UnverifiedAccessToken, keyRevision: Int) {
        self.token = token
        self.keyRevision = keyRevision
    }
}
