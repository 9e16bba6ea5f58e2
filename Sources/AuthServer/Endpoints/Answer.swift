import HTTP
import OAuth

/// What an endpoint answers, and what the log may say about it.
struct Answer {
    /// The answer as it is sent.
    var response: HTTPResponse
    /// The authenticated client, or the one that the request named where authentication failed.
    var client: LoggedClient?
    /// One word or error code: what came of the request.
    var outcome: String
    /// What the client is not told; for the log, without secrets.
    var detail: String?
    /// The token that was issued or revoked.
    var token: Token?

    /// What the log says of a token: never the token itself.
    enum Token {
        /// Handed out.
        case issued(ClientCredentials.SignedToken)
        /// Ended by its client.
        case revoked(TokenID)

        /// Its `jti`.
        var id: TokenID {
            switch self {
            case .issued(let token): token.claims.tokenID
            case .revoked(let id): id
            }
        }
    }

    /// An answer.
    init(_ response: HTTPResponse, outcome: String, client: LoggedClient? = nil, detail: String? = nil) {
        self.response = response
        self.client = client
        self.outcome = outcome
        self.detail = detail
    }

    /// The answer for an error of RFC 6749 §5.2.
    init(_ error: OAuthError, client: LoggedClient? = nil, outcome: String? = nil, detail: String? = nil) {
        self.init(
            HTTPResponse(status: error.status, fields: error.fields, body: error.body),
            outcome: outcome ?? error.code.rawValue, client: client, detail: detail ?? error.description)
    }

    /// The answer for a failure.
    init(_ failure: Failure) {
        self.init(
            failure.error, client: failure.client, outcome: failure.outcome, detail: failure.detail)
    }
}

/// A failure of an endpoint with what the log may say more.
struct Failure: Error {
    let error: OAuthError
    var client: LoggedClient?
    /// The log's word for it, where it is not the error's code.
    var outcome: String?
    var detail: String?

    init(_ error: OAuthError, client: LoggedClient? = nil, outcome: String? = nil, detail: String? = nil) {
        self.error = error
        self.client = client
        self.outcome = outcome
        self.detail = detail
    }
}
