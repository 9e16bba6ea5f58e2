import AuthStore
import HTTP
import JOSE
import OAuth

/// `POST /oauth/token` (RFC 6749 §3.2).
enum TokenEndpoint {
    /// Answers a request: decides and signs at once wherever it can, so that what has to wait for the store is small.
    static func begin(_ request: HTTPRequest, worker: Worker) -> Answering {
        do throws(Failure) {
            let parameters: FormParameters
            do { parameters = try FormParameters(of: request) } catch {
                throw Failure(error, of: request)
            }
            let attempt = try ClientAuthenticator.begin(request, parameters, worker: worker)
            guard let client = try ClientAuthenticator.clientAtOnce(attempt, worker: worker) else {
                return .later { await respond(to: attempt, parameters, worker: worker) }
            }
            let token = try sign(for: client, parameters, worker: worker)
            return .later { await answer(with: token, worker: worker) }
        } catch {
            return .now(Answer(error))
        }
    }

    /// Answers an attempt whose secret takes long to check.
    nonisolated(nonsending) private static func respond(
        to attempt: ClientAuthenticator.Attempt, _ parameters: FormParameters, worker: Worker
    ) async -> Answer {
        do throws(Failure) {
            let client = try await ClientAuthenticator.client(attempt, worker: worker)
            return await answer(with: try sign(for: client, parameters, worker: worker), worker: worker)
        } catch {
            return Answer(error)
        }
    }

    private static func sign(
        for client: AuthenticatedClient, _ parameters: FormParameters, worker: Worker
    ) throws(Failure) -> ClientCredentials.SignedToken {
        guard let grantType = parameters["grant_type"] else {
            throw Failure(
                .invalidRequest("the parameter grant_type is missing"), client: LoggedClient(client.client))
        }
        guard grantType == ClientCredentials.grantType else {
            throw Failure(.unsupportedGrantType, client: LoggedClient(client.client))
        }
        return try ClientCredentials.sign(for: client, parameters, worker: worker)
    }

    /// Records a token, and hands it out once the store has it.
    nonisolated(nonsending) private static func answer(
        with token: ClientCredentials.SignedToken, worker: Worker
    ) async -> Answer {
        do throws(TokenStoreError) {
            try await worker.tokens.record(token.stored)
        } catch {
            return unrecorded(token, because: error)
        }
        return recorded(token)
    }

    // Not part of the function above, whose variables are on the heap.
    @inline(never)
    private static func recorded(_ token: ClientCredentials.SignedToken) -> Answer {
        var answer = Answer(
            HTTPResponse(status: 200, fields: CommonFields.uncachedJSON, body: body(token)),
            outcome: "issued", client: LoggedClient(token), detail: token.remark)
        answer.token = .issued(token)
        return answer
    }

    @inline(never)
    private static func unrecorded(
        _ token: ClientCredentials.SignedToken, because error: TokenStoreError
    ) -> Answer {
        Answer(
            Failure(
                .temporarilyUnavailable(retryAfter: 1), client: LoggedClient(token),
                detail: error.description))
    }

    /// The answer of RFC 6749 §5.1; there is no refresh token (§4.4.3).
    private static func body(_ token: ClientCredentials.SignedToken) -> [UInt8] {
        let claims = token.claims
        var json: [UInt8] = []
        json.reserveCapacity(token.text.count + 160)
        JSON.append(#"{"access_token":""#, to: &json)
        json += token.text
        JSON.append(#"","token_type":"Bearer","expires_in":"#, to: &json)
        JSON.append(claims.expiresAt - claims.issuedAt, to: &json)
        JSON.append(#","scope":"#, to: &json)
        JSON.quote(claims.scopes.description, appendingTo: &json)
        json.append(UInt8(ascii: "}"))
        return json
    }
}
