import AccessToken
import AuthStore
import HTTP
import JOSE
import OAuth

/// `POST /oauth/introspect` (RFC 7662).
///
/// A caller is a registered client. It sees its own tokens and those meant for a resource that it owns; of every
/// other token it learns what it learns of garbage: `{"active":false}`.
enum IntrospectionEndpoint {
    /// Answers a request.
    nonisolated(nonsending) static func respond(to request: HTTPRequest, worker: Worker) async -> Answer {
        do throws(Failure) {
            let (caller, token) = try await PresentedToken.read(from: request, worker: worker)
            return try await answer(to: caller, about: token, worker: worker)
        } catch {
            return Answer(error)
        }
    }

    nonisolated(nonsending) private static func answer(
        to caller: RegisteredClient, about text: String, worker: Worker
    ) async throws(Failure) -> Answer {
        let claims: AccessTokenClaims
        switch PresentedToken.verify(text, worker: worker) {
        case .success(let verified): claims = verified
        case .failure(let reason): return inactive(caller, because: reason.description)
        }
        guard mayAsk(caller, about: claims) else {
            return inactive(caller, because: "the token is another client's, and for resources of others")
        }
        if let reason = try await whyInactive(claims, askedBy: caller, worker: worker) {
            return inactive(caller, because: reason)
        }
        return Answer(
            HTTPResponse(status: 200, fields: CommonFields.uncachedJSON, body: body(claims)),
            outcome: "active", client: LoggedClient(caller))
    }

    /// Whether a caller may know about a token: its own, or one meant for a resource that it owns.
    static func mayAsk(_ caller: RegisteredClient, about claims: AccessTokenClaims) -> Bool {
        caller.id == claims.clientID || claims.audience.contains(where: caller.ownedResources.contains)
    }

    /// Why a token that verifies is not active; nil when it is.
    nonisolated(nonsending) private static func whyInactive(
        _ claims: AccessTokenClaims, askedBy caller: RegisteredClient, worker: Worker
    ) async throws(Failure) -> String? {
        do throws(StoreError) {
            guard let client = try worker.registry.client(claims.clientID) else {
                return "its client was removed"
            }
            if client.isDisabled { return "its client is disabled" }
            // `iat` counts whole seconds: of a token of the same second the store knows more, and of all where the
            // clock was set back since.
            if let ended = client.tokensRevokedAtMilliseconds, claims.issuedAt * 1000 + 999 <= ended,
                ended <= worker.clock()
            {
                return "all tokens that its client had were revoked"
            }
        } catch {
            throw Failure(
                .temporarilyUnavailable(retryAfter: 1), client: LoggedClient(caller),
                detail: error.description)
        }
        do throws(TokenStoreError) {
            let status = try await worker.tokens.status(
                of: claims.tokenID, client: claims.clientID, expiringAt: claims.expiresAt)
            return status == .active ? nil : "it was revoked, or is not in the token store"
        } catch {
            throw Failure(
                .temporarilyUnavailable(retryAfter: 1), client: LoggedClient(caller),
                detail: error.description)
        }
    }

    private static let inactiveBody = Array(#"{"active":false}"#.utf8)

    private static func inactive(_ caller: RegisteredClient, because reason: String) -> Answer {
        Answer(
            HTTPResponse(status: 200, fields: CommonFields.uncachedJSON, body: inactiveBody),
            outcome: "inactive", client: LoggedClient(caller), detail: reason)
    }

    /// The claims of an active token (RFC 7662 §2.2), `aud` as it stands in the token.
    private static func body(_ claims: AccessTokenClaims) -> [UInt8] {
        var json: [UInt8] = []
        json.reserveCapacity(512)
        JSON.append(#"{"active":true,"scope":"#, to: &json)
        JSON.quote(claims.scopes.description, appendingTo: &json)
        JSON.append(#","token_type":"Bearer","#, to: &json)
        AccessTokenEncoder.appendAllButScope(claims, to: &json)
        json.append(UInt8(ascii: "}"))
        return json
    }
}
