/// Why a cryptographic operation could not be done. Never holds key material, a secret or a message.
public struct CryptoError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong, for a program.
    public enum Code: Sendable, Hashable {
        /// A public key that is malformed or too weak to be trusted.
        case unacceptablePublicKey
        /// A private key that is malformed, or not of the algorithm that was asked for.
        case unacceptablePrivateKey
        /// A parameter out of its range.
        case invalidParameter
        /// A ciphertext that was not made with this key and these additional data.
        case notAuthentic
        /// The cryptographic library refused: out of memory, or an installation without the algorithm.
        case libraryFailure
    }

    /// What went wrong, for a program.
    public let code: Code
    /// What went wrong and what would be right, for a person.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    static func unacceptablePublicKey(_ reason: String) -> CryptoError {
        CryptoError(.unacceptablePublicKey, reason)
    }

    static func unacceptablePrivateKey(_ reason: String) -> CryptoError {
        CryptoError(.unacceptablePrivateKey, reason)
    }

    static func invalidParameter(_ reason: String) -> CryptoError { CryptoError(.invalidParameter, reason) }

    static func libraryFailure(_ operation: String) -> CryptoError {
        CryptoError(
            .libraryFailure, "OpenSSL could not \(operation): is libcrypto complete, and is there memory?")
    }
}
