import AccessToken
import AuthStore
import HTTP
import JOSE
import OAuth
import OpenSSLCrypto

/// The token that a caller asks about or revokes: whether this server issued it, and it has not expired.
enum PresentedToken {
    /// Authenticates the caller of a request about a token, and reads that token (RFC 7662 §2.1, RFC 7009 §2.1).
    nonisolated(nonsending) static func read(
        from request: HTTPRequest, worker: Worker
    ) async throws(Failure) -> (caller: RegisteredClient, token: String) {
        let parameters: FormParameters
        do { parameters = try FormParameters(of: request) } catch {
            throw Failure(error, of: request)
        }
        let caller = try await ClientAuthenticator.authenticate(request, parameters, worker: worker)
        guard let token = parameters["token"] else {
            throw Failure(.invalidRequest("the parameter token is missing"), client: LoggedClient(caller))
        }
        return (caller, token)
    }

    /// Verifies a token of this server: form, issuer, key, signature, time. Nothing says whether it was revoked.
    /// - Returns: its claims, or why it is none; the caller is never told which.
    static func verify(_ token: String, worker: Worker) -> Result<AccessTokenClaims, AccessTokenError> {
        let now = worker.clock()
        let bytes = Array(token.utf8)
        let digest = SHA256.digest(bytes)
        if let known = worker.verifiedTokens.claims(of: digest, keys: worker.keys, at: now) {
            return .success(known)
        }
        return Result { () throws(AccessTokenError) in
            let unverified = try AccessTokenDecoder.decode(bytes)
            guard let keyID = unverified.jws.header.keyID, let key = worker.keys.key(keyID, at: now) else {
                throw .wrongSignature
            }
            let verified = try AccessTokenValidation(issuer: worker.issuer.value)
                .verify(unverified, with: key, now: Double(now) / 1000)
            // This server signs no other; who has its key and does is told nothing of it.
            guard unverified.subject.isExactly(unverified.claims.clientID.value) else {
                throw .invalidClaim("sub")
            }
            worker.verifiedTokens.insert(unverified, verifiedWith: key, digest: digest)
            return verified.claims
        }
    }
}
