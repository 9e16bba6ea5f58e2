/// A public key bound to one algorithm (RFC 8725 §3.1): it verifies signatures of that algorithm alone.
///
/// A value of this type was checked: a point lies on its curve, an RSA key is neither short nor known to be weak.
public struct PublicKey: Sendable, Hashable {
    /// The numbers of a key, big-endian without a sign, as a JWK carries them (RFC 7518 §6, RFC 8037 §2).
    public enum Parameters: Sendable, Hashable {
        /// A point of P-256, 32 bytes a coordinate.
        case p256(x: [UInt8], y: [UInt8])
        /// A point of Ed25519, encoded in 32 bytes (RFC 8032 §5.1.2).
        case ed25519(x: [UInt8])
        /// An RSA modulus and exponent without leading zero bytes.
        case rsa(modulus: [UInt8], exponent: [UInt8])
    }

    /// The only algorithm that this key is for.
    public let algorithm: SignatureAlgorithm
    /// The numbers of the key.
    public let parameters: Parameters
    private let verifier: Verifier

    /// Checks the numbers and makes the key.
    /// - Throws: `CryptoError` for a key of another type than the algorithm's, a point off the curve, wrong
    ///   lengths, an RSA modulus of fewer than 2048 or more than 8192 bits, an even exponent or 1, and keys with
    ///   the ROCA weakness (CVE-2017-15361).
    public init(_ parameters: Parameters, algorithm: SignatureAlgorithm) throws(CryptoError) {
        try PublicKeyCheck.check(parameters, for: algorithm)
        guard let handle = KeyHandle.loading(parameters) else {
            throw .unacceptablePublicKey("the numbers are no key: is the point on the curve?")
        }
        self.algorithm = algorithm
        self.parameters = parameters
        verifier = try Verifier(handle, algorithm, signatureByteCount: parameters.signatureByteCount)
    }

    /// Whether `signature` is this key's signature of `message`. Strict: ES256 takes r‖s in exactly 64 bytes with
    /// both in 1..<n (RFC 7518 §3.4), RSA takes exactly the modulus's length. Callable from any thread at once.
    public func verify(_ signature: Span<UInt8>, of message: Span<UInt8>) -> Bool {
        verifier.verify(signature, of: message, after: nil)
    }

    /// As above, of a message that begins with what was hashed before; its caller has seen that it does.
    package func verify(
        _ signature: Span<UInt8>, of message: Span<UInt8>, after beginning: SHA256.Beginning?
    ) -> Bool {
        verifier.verify(signature, of: message, after: beginning)
    }

    /// Whether `signature` is this key's signature of `message`.
    public func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        verify(signature.span, of: message.span)
    }

    /// Whether both have the same numbers and the same algorithm.
    public static func == (left: PublicKey, right: PublicKey) -> Bool {
        left.algorithm == right.algorithm && left.parameters == right.parameters
    }

    /// Hashes the numbers and the algorithm.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(algorithm)
        hasher.combine(parameters)
    }
}

extension PublicKey.Parameters {
    var signatureByteCount: Int {
        switch self {
        case .p256, .ed25519: 64
        case .rsa(let modulus, _): modulus.count
        }
    }
}
