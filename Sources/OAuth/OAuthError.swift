/// An error answer of the token, introspection or revocation endpoint (RFC 6749 §5.2, RFC 7009 §2.2.1).
///
/// A value that carries all that a client may learn; what the log may say more is the caller's to add.
public struct OAuthError: Error, Sendable, Equatable {
    /// The registered `error` codes that this server uses.
    public enum Code: String, Sendable, CaseIterable {
        case invalidRequest = "invalid_request"
        case invalidClient = "invalid_client"
        case unauthorizedClient = "unauthorized_client"
        case unsupportedGrantType = "unsupported_grant_type"
        case invalidScope = "invalid_scope"
        case invalidTarget = "invalid_target"
        case unsupportedTokenType = "unsupported_token_type"
        case temporarilyUnavailable = "temporarily_unavailable"
        case serverError = "server_error"
    }

    /// The `error` member.
    public let code: Code
    /// The `error_description` member: what is wrong and what to do; only characters of RFC 6749 §5.2.
    public let description: String
    /// The HTTP status.
    public let status: Int
    /// Seconds for `Retry-After`, where the answer has one.
    public let retryAfter: Int?
    /// Whether the answer carries `WWW-Authenticate: Basic` (RFC 6749 §5.2).
    public let challengesBasic: Bool

    init(
        _ code: Code, _ description: String, status: Int = 400, retryAfter: Int? = nil,
        challengesBasic: Bool = false
    ) {
        self.code = code
        self.description = description
        self.status = status
        self.retryAfter = retryAfter
        self.challengesBasic = challengesBasic
    }

    /// The request is malformed (RFC 6749 §5.2).
    public static func invalidRequest(_ description: String, status: Int = 400) -> OAuthError {
        OAuthError(.invalidRequest, description, status: status)
    }

    /// The client could not be authenticated: one text for an unknown client, a wrong secret and a disabled one.
    /// - Parameter usedBasic: whether the request used the Authorization header.
    public static func invalidClient(usedBasic: Bool) -> OAuthError {
        OAuthError(
            .invalidClient, "client authentication failed: check the client id and secret", status: 401,
            challengesBasic: usedBasic)
    }

    /// The request carries no client authentication.
    public static let noClientAuthentication = OAuthError(
        .invalidClient,
        "no client authentication: send HTTP Basic, or client_id and client_secret in the form body",
        status: 401)

    /// The client may not use this authentication method or grant.
    public static func unauthorizedClient(_ description: String) -> OAuthError {
        OAuthError(.unauthorizedClient, description)
    }

    /// A grant type other than client_credentials.
    public static let unsupportedGrantType = OAuthError(
        .unsupportedGrantType, "the only grant type here is client_credentials")

    /// A scope that is malformed, unknown or not granted.
    public static func invalidScope(_ description: String) -> OAuthError {
        OAuthError(.invalidScope, description)
    }

    /// A resource that is unknown or not granted: the same text for both.
    public static let invalidTarget = invalidTarget(
        "a requested resource is unknown, or this client has no grant there")

    /// Resources that no token can be made for (RFC 8707 §2).
    public static func invalidTarget(_ description: String) -> OAuthError {
        OAuthError(.invalidTarget, description)
    }

    /// The token store does not answer, or too many requests wait.
    public static func temporarilyUnavailable(retryAfter: Int) -> OAuthError {
        OAuthError(
            .temporarilyUnavailable, "the server cannot do this now: try again later", status: 503,
            retryAfter: retryAfter)
    }

    /// Too many failed authentications.
    public static func tooManyFailures(retryAfter: Int) -> OAuthError {
        OAuthError(
            .temporarilyUnavailable, "too many failed authentications: try again later", status: 429,
            retryAfter: retryAfter)
    }
}
