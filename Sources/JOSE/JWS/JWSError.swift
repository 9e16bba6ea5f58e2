/// Why a text is not a JWS that could be verified. Holds nothing of the text.
public enum JWSError: Error, Sendable, Hashable {
    /// More bytes than the limit.
    case tooLarge
    /// Not three parts separated by dots, or a header or signature that is empty (RFC 7515 §3.1).
    case notCompact
    /// A part that is not base64url (RFC 7515 §2).
    case invalidBase64URL
    /// The header is not JSON.
    case invalidHeader(JSONError)
    /// The header is JSON, but not an object.
    case headerNotAnObject
    /// A header parameter that is missing or not of its type: its name.
    case invalidParameter(String)
    /// `crit` or `b64`: no extension is understood here (RFC 7515 §4.1.11, RFC 7797 §6).
    case criticalParameter
}

extension JWSError: CustomStringConvertible {
    /// What is wrong, for a person.
    public var description: String {
        switch self {
        case .tooLarge: "the token is too large"
        case .notCompact: "the token does not have three parts: it is no signed JWT in compact form"
        case .invalidBase64URL: "a part of the token is not base64url without padding"
        case .invalidHeader(let error): "the token's header is not acceptable: \(error)"
        case .headerNotAnObject: "the token's header is not a JSON object"
        case .invalidParameter(let name):
            "the token's header parameter \"\(name)\" is missing or has the wrong type"
        case .criticalParameter: "the token's header demands an extension that is not known here"
        }
    }
}
