internal import OutboundHTTP

/// Why there is no token, and which one was asked for.
public struct TokenClientError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What happened.
    public let reason: Reason
    /// The client that asked.
    public let clientID: String
    /// The resource that the token is for.
    public let resource: ResourceID
    /// The scopes that it is to have; none for all that the client holds there.
    public let scopes: Scopes

    /// What happened, what to do, and whose token for what it is about. Holds no secret and no token.
    public var description: String {
        let scope = scopes.isEmpty ? "all scopes" : "scope \(LogText.quoted(scopes.description))"
        return
            "\(reason) (client \(LogText.quoted(clientID)), resource \(LogText.quoted(resource.value)), \(scope))"
    }
}

extension TokenClientError {
    /// What may happen.
    public enum Reason: Error, Sendable, Equatable, CustomStringConvertible {
        /// The server refuses this request, and would again: check the client's id, secret and grants.
        case refused(status: Int, code: String, explanation: String)
        /// The server could not be reached or could not serve within the deadline, or the file of trusted certificates
        /// was out of order all the time; when the server asks to come back later, how much later.
        case unavailable(reason: String, retryAfter: Duration?)
        /// The file with the client's secret was out of order until the deadline: the text names it.
        case unusableSecret(String)
        /// The server's certificate is not trusted, and would not be at another attempt: the text says what to do.
        case untrustedServer(String)
        /// The server's answer is no token answer (RFC 6749 §5.1).
        case malformedAnswer(String)
        /// The issuer's metadata (RFC 8414) does not say where its token endpoint is: check the issuer.
        case unusableMetadata(String)
        /// Tokens for too many different resources and scopes are being fetched at once, or too many wait for this one.
        case overloaded
        /// The task that asked was cancelled; others that wait for the same token go on.
        case cancelled

        /// What happened and what to do. Holds no secret and no token.
        public var description: String {
            switch self {
            case .refused(let status, let code, let explanation):
                "the authorization server refuses the token request with \(status) \(code): \(explanation)"
            case .unavailable(let reason, let retryAfter):
                "the authorization server gives no token now: \(reason)"
                    + (retryAfter.map { "; it asks to come back in \($0)" } ?? "")
            case .unusableSecret(let what): what
            case .untrustedServer(let what): what
            case .malformedAnswer(let what):
                "the authorization server's answer is not as RFC 6749 asks: \(what)"
            case .unusableMetadata(let what): what
            case .overloaded: "too many different tokens are being fetched at once, or too many wait for one"
            case .cancelled: "cancelled"
            }
        }
    }
}
