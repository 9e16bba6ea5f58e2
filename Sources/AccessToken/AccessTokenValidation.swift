internal import JOSE
public import OAuth
public import OpenSSLCrypto

/// The checks of RFC 9068 §4. Pure: the time is given.
public struct AccessTokenValidation: Sendable, Hashable {
    /// The only `iss` that is accepted, letter by letter.
    public let issuer: String
    /// What `aud` must hold; `nil` where every audience is meant, as at the issuer itself.
    public let audience: ResourceID?
    /// How many seconds the clocks may differ.
    public let leeway: Double

    /// What to check.
    /// - Parameter leeway: seconds; values outside 0…60 become the nearest of these.
    public init(issuer: String, audience: ResourceID? = nil, leeway: Double = 0) {
        self.issuer = issuer
        self.audience = audience
        self.leeway = leeway.isNaN ? 0 : min(max(leeway, 0), 60)
    }

    /// Checks signature, issuer, audience and times.
    /// - Parameters:
    ///   - key: the key that the header names; its algorithm decides, not the header's.
    ///   - now: seconds since 1970.
    /// - Throws: `AccessTokenError`
    public func verify(
        _ token: UnverifiedAccessToken, with key: PublicKey, now: Double
    ) throws(AccessTokenError) -> VerifiedAccessToken {
        // Cheap checks first; a forger learns nothing from them that he did not write himself.
        try check(token, now: now)
        guard token.jws.verify(with: key) else { throw .wrongSignature }
        return VerifiedAccessToken(token)
    }

    /// Checks all but the signature.
    /// - Parameter now: seconds since 1970.
    /// - Throws: `AccessTokenError`
    public func check(_ token: UnverifiedAccessToken, now: Double) throws(AccessTokenError) {
        try checkIssuer(token)
        try checkTimes(token, now: now)
        if let audience, !token.claims.audience.contains(audience) { throw .wrongAudience }
    }

    /// Checks the issuer alone: before keys are fetched for a token, it must be one of the issuer that has them.
    /// - Throws: `AccessTokenError.wrongIssuer`
    public func checkIssuer(_ token: UnverifiedAccessToken) throws(AccessTokenError) {
        guard token.claims.issuer.isExactly(issuer) else { throw .wrongIssuer }
    }

    /// `exp` is the first moment at which the token is no longer valid, `nbf` the first at which it is
    /// (RFC 7519 §4.1.4, §4.1.5). `iat` is no limit.
    private func checkTimes(_ token: UnverifiedAccessToken, now: Double) throws(AccessTokenError) {
        guard now < token.expiresAt + leeway else { throw .expired }
        if let notBefore = token.notBefore, now < notBefore - leeway { throw .notYetValid }
    }
}
