public import OpenSSLCrypto

/// Why a JSON value is not a JWK, or not a JWK Set, that can be used to verify signatures.
public enum JWKError: Error, Sendable, Hashable {
    /// The text is not JSON.
    case invalidJSON(JSONError)
    /// Not an object with an array `keys` (RFC 7517 §5).
    case notASet
    /// The set has more keys than are read.
    case tooManyKeys
    /// Not a JSON object.
    case notAnObject
    /// A member that must be there is missing or has the wrong form: its name.
    case invalidMember(String)
    /// A key type, curve or algorithm that is not known here: the name of the member that says so.
    case unsupported(String)
    /// The key is for encryption, or is not for verifying (RFC 7517 §4.2, §4.3).
    case notForVerification
    /// The key holds the private part: whoever published it must replace it.
    case holdsPrivatePart
    /// The numbers make no acceptable key.
    case unacceptable(CryptoError)
    /// Another key of the set has this `kid` and the same algorithm.
    case duplicateKeyID
}

extension JWKError: CustomStringConvertible {
    /// What is wrong, for a person.
    public var description: String {
        switch self {
        case .invalidJSON(let error): error.description
        case .notASet: "a JWK Set is an object with an array \"keys\" (RFC 7517 section 5)"
        case .tooManyKeys: "the JWK Set has more than \(JWKSet.maximumKeyCount) keys"
        case .notAnObject: "a JWK is an object"
        case .invalidMember(let name): "the member \"\(name)\" of the JWK is missing or has the wrong form"
        case .unsupported(let name): "the value of \"\(name)\" of the JWK is not one that is known here"
        case .notForVerification: "the JWK is not for verifying signatures: see its \"use\" and \"key_ops\""
        case .holdsPrivatePart: "the JWK holds a private key and was published: replace that key"
        case .unacceptable(let error): error.description
        case .duplicateKeyID: "another key has the same \"kid\" and the same algorithm"
        }
    }
}
