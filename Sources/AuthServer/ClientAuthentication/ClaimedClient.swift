import HTTP
import OAuth

/// Whom a request names by HTTP Basic that is refused before its client is looked at, as the log tells it: as a stranger,
/// since a look at whether there is such a client would be a request to the registry that nothing slows down.
enum ClaimedClient {
    /// The beginning of the id; nil where there is no header, or more than one, or none that can be read.
    static func name(in request: HTTPRequest) -> LoggedClient? {
        guard !request.repeats("authorization"), let header = request.value("authorization") else {
            return nil
        }
        return ClientSecretBasic.read(header).readings.first.map { LoggedClient(stranger: $0.clientID) }
    }
}

extension Failure {
    /// The failure of a request before its client is looked at.
    init(_ error: OAuthError, of request: HTTPRequest) {
        self.init(error, client: ClaimedClient.name(in: request))
    }
}
