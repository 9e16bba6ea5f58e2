internal import COpenSSL

/// A private key bound to one algorithm. Has no description that prints it; `pkcs8` is the only way out.
public struct PrivateKey: Sendable {
    /// The only algorithm that this key signs with.
    public let algorithm: SignatureAlgorithm
    /// The public part.
    public let publicKey: PublicKey
    let handle: KeyHandle

    /// Makes a new key; RSA keys have 2048 bits.
    /// - Throws: `CryptoError` when OpenSSL has no memory or not the algorithm.
    public static func generate(_ algorithm: SignatureAlgorithm) throws(CryptoError) -> PrivateKey {
        try PrivateKey(try KeyHandle.generating(algorithm), algorithm)
    }

    /// Reads a key in PKCS #8 DER (RFC 5958), not encrypted.
    /// - Throws: `CryptoError` when it is no such key, is of another type than the algorithm's, is too weak, or does
    ///   not fit its own public part.
    public init(pkcs8: borrowing SecretBytes, algorithm: SignatureAlgorithm) throws(CryptoError) {
        try self.init(try KeyHandle.readingPKCS8(pkcs8.span), algorithm)
    }

    /// The key in PKCS #8 DER (RFC 5958), not encrypted.
    public func pkcs8() throws(CryptoError) -> SecretBytes { try handle.pkcs8() }

    private init(_ handle: KeyHandle, _ algorithm: SignatureAlgorithm) throws(CryptoError) {
        guard handle.isOfType(algorithm), let parameters = handle.publicParameters(algorithm) else {
            throw .unacceptablePrivateKey("the private key is not one for \(algorithm.rawValue)")
        }
        self.handle = handle
        self.algorithm = algorithm
        publicKey = try PublicKey(parameters, algorithm: algorithm)
        try checkPair()
    }

    /// A signature that the public part verifies: catches a key whose halves do not belong together.
    private func checkPair() throws(CryptoError) {
        let probe = Array("a private key and its public part".utf8)
        guard let signature = try? Signer(self).sign(probe.span), publicKey.verify(signature, of: probe)
        else {
            throw .unacceptablePrivateKey("the private key does not belong to its public part")
        }
    }
}
