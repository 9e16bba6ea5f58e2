import AuthStore
import HTTP
import JOSE
import OAuth

/// `POST /oauth/token` (RFC 6749 §3.2).
enum TokenEndpoint {
    /// Answers a request.
    nonisolated(nonsending) static func respond(to request: HTTPRequest, worker: Worker) async -> Answer {
        do throws(Failure) {
            let issued = try await issue(request, worker: worker)
            return Answer(
                HTTPResponse(status: 200, fields: CommonFields.uncachedJSON, body: body(issued)),
                outcome: "issued", clientID: issued.claims.clientID)
        } catch {
            return Answer(error)
        }
    }

    nonisolated(nonsending) private static func issue(
        _ request: HTTPRequest, worker: Worker
    ) async throws(Failure) -> ClientCredentials.Issued {
        let parameters: FormParameters
        do { parameters = try FormParameters(of: request) } catch { throw Failure(error) }
        let client = try await ClientAuthenticator.authenticate(request, parameters, worker: worker)
        guard let grantType = parameters["grant_type"] else {
            throw Failure(.invalidRequest("the parameter grant_type is missing"), clientID: client.id)
        }
        guard grantType == ClientCredentials.grantType else {
            throw Failure(.unsupportedGrantType, clientID: client.id)
        }
        return try await ClientCredentials.issue(to: client, parameters, worker: worker)
    }

    /// The answer of RFC 6749 §5.1; there is no refresh token (§4.4.3).
    private static func body(_ issued: ClientCredentials.Issued) -> [UInt8] {
        var json: [UInt8] = []
        json.reserveCapacity(issued.token.count + 160)
        JSON.append(#"{"access_token":""#, to: &json)
        json += issued.token
        JSON.append(#"","token_type":"Bearer","expires_in":"#, to: &json)
        JSON.append(issued.claims.expiresAt - issued.claims.issuedAt, to: &json)
        JSON.append(#","scope":"#, to: &json)
        JSON.quote(issued.claims.scopes.description, appendingTo: &json)
        json.append(UInt8(ascii: "}"))
        return json
    }
}
