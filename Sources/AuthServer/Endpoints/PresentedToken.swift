import AccessToken
import AuthStore
import HTTP
import JOSE
import OAuth

/// The token that a caller asks about or revokes: whether this server issued it, and it has not expired.
enum PresentedToken {
    /// Authenticates the caller of a request about a token, and reads that token (RFC 7662 §2.1, RFC 7009 §2.1).
    nonisolated(nonsending) static func read(
        from request: HTTPRequest, worker: Worker
    ) async throws(Failure) -> (caller: RegisteredClient, token: String) {
        let parameters: FormParameters
        do { parameters = try FormParameters(of: request) } catch { throw Failure(error) }
        let caller = try await ClientAuthenticator.authenticate(request, parameters, worker: worker)
        guard let token = parameters["token"] else {
            throw Failure(.invalidRequest("the parameter token is missing"), clientID: caller.id)
        }
        return (caller, token)
    }

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
