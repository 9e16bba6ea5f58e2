public import JOSE

/// Why a text is not a valid access token. Fit for the log: holds nothing of the token but the name of a claim.
public enum AccessTokenError: Error, Sendable, Hashable {
    /// Not a JWS in compact form.
    case notASignedToken(JWSError)
    /// `typ` is not `at+jwt` (RFC 9068 §4): some other kind of JWT.
    case wrongType
    /// The payload is not a JSON object.
    case invalidPayload(JSONError?)
    /// A claim is missing or has the wrong form: its name (RFC 9068 §2.2).
    case invalidClaim(String)
    /// `iss` is another issuer.
    case wrongIssuer
    /// `aud` does not hold the audience that is asked for.
    case wrongAudience
    /// The time of `exp` has come.
    case expired
    /// The time of `nbf` has not come yet.
    case notYetValid
    /// The signature is not one of the key.
    case wrongSignature
}

extension AccessTokenError: CustomStringConvertible {
    /// What is wrong, for a person.
    public var description: String {
        switch self {
        case .notASignedToken(let error): error.description
        case .wrongType:
            "the token is not an access token: its header has no \"typ\": \"at+jwt\" (RFC 9068 section 4)"
        case .invalidPayload(let error?): "the token's claims are not acceptable: \(error)"
        case .invalidPayload(nil): "the token's payload is not a JSON object"
        case .invalidClaim(let name): "the token's claim \"\(name)\" is missing or has the wrong form"
        case .wrongIssuer: "the token was issued by another authorization server"
        case .wrongAudience: "the token is not meant for this resource"
        case .expired: "the token has expired"
        case .notYetValid: "the token is not valid yet"
        case .wrongSignature: "the token's signature does not fit the key that it names"
        }
    }
}
