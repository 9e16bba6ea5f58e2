public import OAuth

/// Asks whoever knows whether a verified token is still active: the store check of a `ResourceGuard`.
///
/// A signature says that a token was issued, not that it was not revoked since. A guard with a check asks at
/// every request, also for tokens whose verification it remembers. `ResourceGuardRedis` asks the shared token
/// store, `IntrospectionCheck` the authorization server (RFC 7662).
public protocol TokenCheck: Sendable {
    /// Whether the token is stored, not revoked and not expired.
    ///
    /// Called only for tokens whose signature and claims are in order. Has a deadline of its own.
    ///
    /// - Parameters:
    ///   - tokenID: the token's `jti`.
    ///   - clientID: the token's `client_id`.
    ///   - token: the token as the client sent it; never to be logged.
    /// - Throws: `TokenCheckError` when there is no answer; the guard then answers 503, unless it is configured
    ///   to fail open.
    func isActive(
        tokenID: TokenID, clientID: ClientID, token: [UInt8]
    ) async throws(TokenCheckError) -> Bool

    /// What to look at where a token is inactive that nobody revoked, for the service's log: where all tokens are
    /// inactive, it is how the check was set up. One line; the client is not told.
    ///
    /// - Parameter resource: the resource of the guard that asks.
    func advice(forInactiveTokensOf resource: ResourceID) -> String
}

extension TokenCheck {
    /// The advice of a check that asks a token store.
    public func advice(forInactiveTokensOf resource: ResourceID) -> String {
        "if it was not revoked: check the token store's URL, database and prefix"
    }
}

/// Why a `TokenCheck` has no answer. The texts are for the log and hold no token and no secret.
public enum TokenCheckError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The store or server cannot be reached, or answers that it cannot tell.
    case unavailable(String)
    /// No answer within the deadline.
    case timedOut
    /// Too many checks wait already.
    case overloaded
    /// The task that asked was cancelled: nobody knows, and no outage is the reason. The guard never lets such a request
    /// through, or whoever hangs up would choose that it is not checked.
    case cancelled

    /// What happened, for the log.
    public var description: String {
        switch self {
        case .unavailable(let reason): "the token check is unavailable: \(reason)"
        case .timedOut: "the token check did not answer in time"
        case .overloaded: "too many token checks wait"
        case .cancelled: "the request ended before the token was checked"
        }
    }
}
