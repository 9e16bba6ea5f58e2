/// Why a request was refused, for a program: a metric's label, a test.
public enum RefusalReason: String, Sendable, CaseIterable {
    /// No Authorization header, or one of another scheme or none: `Refusal.logDetail` says which.
    case noCredentials = "no_credentials"
    /// More than one Authorization header.
    case repeatedHeader = "repeated_header"
    /// A Bearer header that is not one token of the allowed characters.
    case malformedHeader = "malformed_header"
    /// Longer than any token is.
    case tokenTooLong = "token_too_long"
    /// No JWT, or one with a header or claims that an access token does not have (RFC 9068 §2).
    case malformedToken = "malformed_token"
    /// Of another issuer.
    case wrongIssuer = "wrong_issuer"
    /// Signed with a key that the issuer does not publish.
    case unknownKey = "unknown_key"
    /// The signature does not match.
    case badSignature = "bad_signature"
    /// Expired.
    case expired
    /// Valid from later than now.
    case notYetValid = "not_yet_valid"
    /// Meant for other resources.
    case wrongAudience = "wrong_audience"
    /// The store check says that it is not active: revoked, or not in the store that is asked.
    case revoked
    /// Lacks a scope.
    case insufficientScope = "insufficient_scope"
    /// The issuer's keys cannot be had.
    case keysUnavailable = "keys_unavailable"
    /// The store check has no answer.
    case checkUnavailable = "check_unavailable"

    /// The status of the answer (RFC 6750 §3.1).
    public var status: Int {
        switch self {
        case .repeatedHeader, .malformedHeader: 400
        case .insufficientScope: 403
        case .keysUnavailable, .checkUnavailable: 503
        default: 401
        }
    }

    /// The `error` code of the answer; none where the request had no credentials (RFC 6750 §3.1).
    public var errorCode: String? {
        switch self {
        case .noCredentials: nil
        case .repeatedHeader, .malformedHeader: "invalid_request"
        case .insufficientScope: "insufficient_scope"
        case .keysUnavailable, .checkUnavailable: "temporarily_unavailable"
        default: "invalid_token"
        }
    }
}

extension RefusalReason: CustomStringConvertible {
    /// The raw value, as logs and metrics have it.
    public var description: String { rawValue }
}
