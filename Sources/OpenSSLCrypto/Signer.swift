internal import COpenSSL

/// Signs with one private key. One a thread: it keeps contexts that are too dear to make for each signature.
public final class Signer {
    /// What the signatures are verified with.
    public let publicKey: PublicKey
    /// How many bytes each signature has.
    public let signatureByteCount: Int
    private let context: SignatureContext
    private let maximumByteCount: Int

    /// A signer for this key.
    /// - Throws: `CryptoError` when OpenSSL has no memory or not the algorithm.
    public init(_ key: PrivateKey) throws(CryptoError) {
        publicKey = key.publicKey
        context = try SignatureContext(key.handle, key.algorithm, .signing)
        signatureByteCount = key.publicKey.parameters.signatureByteCount
        maximumByteCount = max(ECDSASignature.maximumDERByteCount, signatureByteCount)
    }

    /// Appends the signature of `message` as JWS has it (RFC 7518 §3): r‖s in 64 bytes for ES256.
    /// - Throws: `CryptoError` when OpenSSL failed; `output` is as before then.
    public func sign(_ message: Span<UInt8>, appendingTo output: inout [UInt8]) throws(CryptoError) {
        let appended = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: maximumByteCount + 64) {
            memory in
            let made = UnsafeMutableBufferPointer(rebasing: memory[..<maximumByteCount])
            guard let count = context.sign(message, into: made) else { return false }
            let signature = UnsafeBufferPointer(rebasing: made[..<count])
            guard publicKey.algorithm == .es256 else {
                output.append(contentsOf: signature)
                return true
            }
            let raw = UnsafeMutableBufferPointer(rebasing: memory[maximumByteCount...])
            guard ECDSASignature.writeRaw(signature, into: raw) else { return false }
            output.append(contentsOf: raw)
            return true
        }
        guard appended else {
            ERR_clear_error()
            throw .libraryFailure("sign with \(publicKey.algorithm.rawValue)")
        }
    }

    /// The signature of `message`, as JWS has it.
    public func sign(_ message: Span<UInt8>) throws(CryptoError) -> [UInt8] {
        var signature: [UInt8] = []
        try sign(message, appendingTo: &signature)
        return signature
    }
}
