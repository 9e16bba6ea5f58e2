import AccessToken
import JOSE
import OAuth

/// The token that a caller asks about or revokes: whether this server issued it, and it has not expired.
enum PresentedToken {
    /// Verifies a token of this server: form, issuer, key, signature, time. Nothing says whether it was revoked.
    /// - Returns: the verified token, or why it is none; the caller is never told which.
    static func verify(_ token: String, worker: Worker) -> Result<VerifiedAccessToken, AccessTokenError> {
        Result { () throws(AccessTokenError) in
            let now = worker.clock()
            let unverified = try AccessTokenDecoder.decode(Array(token.utf8).span)
            guard let key = worker.keys.key(for: unverified.jws.header, at: now) else {
                throw .wrongSignature
            }
            return try AccessTokenValidation(issuer: worker.issuer.value)
                .verify(unverified, with: key, now: Double(now) / 1000)
        }
    }
}
