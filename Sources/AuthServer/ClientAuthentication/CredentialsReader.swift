import HTTP
import OAuth

extension PresentedCredentials {
    /// Finds the one client authentication of a request (RFC 6749 §2.3: not more than one method).
    /// - Throws: `invalid_request` for two methods or two client ids, `invalid_client` for none.
    static func read(from request: HTTPRequest, _ parameters: FormParameters) throws(OAuthError)
        -> PresentedCredentials
    {
        guard let header = request.value("authorization") else {
            guard let credentials = ClientSecretPost.read(parameters) else { throw .noClientAuthentication }
            return credentials
        }
        guard !request.repeats("authorization") else {
            throw .invalidRequest("there is more than one Authorization header")
        }
        guard parameters["client_secret"] == nil, parameters["client_assertion"] == nil else {
            throw .invalidRequest("authenticate the client by one method, not by two")
        }
        let credentials = ClientSecretBasic.read(header)
        if let id = parameters["client_id"], !credentials.readings.isEmpty {
            guard credentials.readings.contains(where: { $0.clientID.value == id }) else {
                throw .invalidRequest("client_id differs from the client of the Authorization header")
            }
        }
        return credentials
    }
}
