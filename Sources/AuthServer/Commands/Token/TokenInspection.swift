internal import AccessToken
internal import AuthStore
internal import JOSE
internal import OAuth

/// What is to be said of a token, short of asking the token store: pure, so that tests can drive it.
enum TokenInspection {
    /// Why a token is not active.
    struct Reason: Error, Equatable {
        let text: String
    }

    /// What a text says that has the form of an access token; nothing of it is verified.
    static func read(_ token: [UInt8]) throws(Reason) -> UnverifiedAccessToken {
        do throws(AccessTokenError) { return try AccessTokenDecoder.decode(token) } catch {
            throw Reason(text: error.description)
        }
    }

    /// Whether a key of this server that is published signed it, whatever else is wrong with it.
    static func isSigned(_ token: UnverifiedAccessToken, ring: KeyRing, now: Milliseconds) -> Bool {
        key(of: token, ring, now).map { token.jws.verify(with: $0.publicKey) } ?? false
    }

    private static func key(
        of token: UnverifiedAccessToken, _ ring: KeyRing, _ now: Milliseconds
    ) -> KeyRing.Key? {
        ring.published(at: now).first { $0.keyID == token.jws.header.keyID }
    }

    /// Checks signature, issuer and times.
    static func verify(
        _ token: UnverifiedAccessToken, issuer: Issuer, ring: KeyRing, now: Milliseconds
    ) throws(Reason) -> VerifiedAccessToken {
        guard let key = key(of: token, ring, now) else {
            throw Reason(
                text: "the token is not signed with a key of this server, or with one that has ended")
        }
        do throws(AccessTokenError) {
            let validation = AccessTokenValidation(issuer: issuer.value)
            return try validation.verify(token, with: key.publicKey, now: Double(now) / 1000)
        } catch {
            guard error == .wrongIssuer else { throw Reason(text: error.description) }
            throw Reason(text: "\(error.description): the issuer here is \(issuer.value) (--issuer)")
        }
    }

    /// Checks the client as the registry has it.
    /// - Parameter revokedAt: the moment up to which its tokens are revoked.
    static func check(
        _ claims: AccessTokenClaims, client: ClientDetail?, revokedAt: Milliseconds?
    ) throws(Reason) {
        guard let client else {
            throw Reason(text: "the client \(claims.clientID) is not registered any more")
        }
        guard client.disabledAt == nil else { throw Reason(text: "the client \(client.id) is disabled") }
        // The claim has seconds, the revocation milliseconds: where they cannot tell, the store decides.
        if let revokedAt, claims.issuedAt * 1000 + 999 <= revokedAt {
            throw Reason(
                text: "the tokens of client \(client.id) were revoked at \(TimeText.text(revokedAt))")
        }
    }

    /// Why a token is not active by the token store's answer; nil where it is.
    static func reason(_ status: TokenStatus) -> String? {
        switch status {
        case .active: nil
        case .inactive: "the token store does not have it as active: it was revoked, or was never recorded"
        }
    }
}
