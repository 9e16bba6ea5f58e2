import AccessToken
import AuthStore
import HTTP
import OAuth

/// `POST /oauth/revoke` (RFC 7009).
///
/// A client ends its own tokens. Everything else that is sent is answered in the same way and changes nothing
/// (§2.2), so that nobody learns about a token by revoking it.
enum RevocationEndpoint {
    /// Answers a request.
    nonisolated(nonsending) static func respond(to request: HTTPRequest, worker: Worker) async -> Answer {
        do throws(Failure) {
            let (caller, token) = try await PresentedToken.read(from: request, worker: worker)
            let outcome = try await revoke(token, of: caller, worker: worker)
            var answer = Answer(
                HTTPResponse(status: 200, fields: CommonFields.uncached), outcome: "ignored",
                client: LoggedClient(caller))
            switch outcome {
            case .revoked(let id): (answer.outcome, answer.token) = ("revoked", .revoked(id))
            case .ignored(let reason): answer.detail = reason
            }
            return answer
        } catch {
            return Answer(error)
        }
    }

    private enum Outcome {
        case revoked(TokenID)
        /// There was nothing to do, for this reason.
        case ignored(String)
    }

    /// Revokes a token of this caller.
    nonisolated(nonsending) private static func revoke(
        _ text: String, of caller: RegisteredClient, worker: Worker
    ) async throws(Failure) -> Outcome {
        switch PresentedToken.verify(text, worker: worker) {
        case .failure(let reason):
            return .ignored(reason.description)
        case .success(let claims):
            guard claims.clientID == caller.id else { return .ignored("the token is another client's") }
            do {
                try await worker.tokens.revoke(claims.tokenID, expiringAt: claims.expiresAt)
            } catch {
                throw Failure(
                    .temporarilyUnavailable(retryAfter: 1), client: LoggedClient(caller),
                    detail: error.description)
            }
            return .revoked(claims.tokenID)
        }
    }
}
