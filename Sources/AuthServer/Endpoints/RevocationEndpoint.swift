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
            let reason = try await revoke(token, of: caller.id, worker: worker)
            return Answer(
                HTTPResponse(status: 200, fields: CommonFields.uncached),
                outcome: reason == nil ? "revoked" : "ignored", clientID: caller.id, detail: reason)
        } catch {
            return Answer(error)
        }
    }

    /// Revokes a token of this caller; answers why there was nothing to do.
    nonisolated(nonsending) private static func revoke(
        _ text: String, of caller: ClientID, worker: Worker
    ) async throws(Failure) -> String? {
        switch PresentedToken.verify(text, worker: worker) {
        case .failure(let reason):
            return reason.description
        case .success(let claims):
            guard claims.clientID == caller else { return "the token is another client's" }
            do {
                try await worker.tokens.revoke(claims.tokenID, expiringAt: claims.expiresAt)
            } catch {
                throw Failure(
                    .temporarilyUnavailable(retryAfter: 1), clientID: caller, detail: error.description)
            }
            return nil
        }
    }
}
