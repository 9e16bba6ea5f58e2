internal import COpenSSL

/// AES-256 in Galois/Counter Mode (NIST SP 800-38D) with a random 96-bit nonce.
///
/// One key is good for 2³² messages; what it protects here, signing keys at rest, are few.
public enum AESGCM {
    /// How many bytes a key has.
    public static let keyByteCount = 32
    private static let nonceByteCount = 12
    private static let tagByteCount = 16

    /// Encrypts: the answer is nonce ‖ ciphertext ‖ tag. `additionalData` is bound to it, not contained.
    /// - Throws: `CryptoError` when the key does not have 32 bytes.
    public static func seal(
        _ plaintext: Span<UInt8>, key: Span<UInt8>, additionalData: Span<UInt8>
    ) throws(CryptoError) -> [UInt8] {
        var output = SecureRandom.bytes(nonceByteCount)
        let context = try Context(key: key, nonce: output.span, encrypting: true)
        try context.authenticate(additionalData)
        output += [UInt8](repeating: 0, count: plaintext.count + tagByteCount)
        let sealed = output.withUnsafeMutableBufferPointer { output in
            let end = output.baseAddress.map { $0 + nonceByteCount + plaintext.count }
            return context.update(plaintext, into: output.baseAddress.map { $0 + nonceByteCount })
                && EVP_EncryptFinal_ex(context.pointer, end, &context.written) == 1
                && EVP_CIPHER_CTX_ctrl(context.pointer, EVP_CTRL_AEAD_GET_TAG, Int32(tagByteCount), end) == 1
        }
        guard sealed else { throw .libraryFailure("encrypt") }
        return output
    }

    /// Decrypts what `seal` answered.
    /// - Throws: `CryptoError` with `notAuthentic` when the key, the additional data or a bit is another.
    public static func open(
        _ sealed: Span<UInt8>, key: Span<UInt8>, additionalData: Span<UInt8>
    ) throws(CryptoError) -> SecretBytes {
        let refusal = CryptoError(
            .notAuthentic, "the key or its context is another, or the ciphertext was changed")
        guard sealed.count >= nonceByteCount + tagByteCount else { throw refusal }
        let context = try Context(
            key: key, nonce: sealed.extracting(first: nonceByteCount), encrypting: false)
        try context.authenticate(additionalData)
        let ciphertext = sealed.extracting(nonceByteCount..<sealed.count - tagByteCount)
        let tag = sealed.extracting(last: tagByteCount)
        return try SecretBytes(count: ciphertext.count) { output throws(CryptoError) in
            guard context.setTag(tag), context.update(ciphertext, into: output.baseAddress),
                context.isAuthentic()
            else {
                ERR_clear_error()
                throw refusal
            }
        }
    }

    /// Owns an `EVP_CIPHER_CTX`.
    private final class Context {
        let pointer: OpaquePointer
        var written: Int32 = 0

        init(key: Span<UInt8>, nonce: Span<UInt8>, encrypting: Bool) throws(CryptoError) {
            guard key.count == keyByteCount else { throw .invalidParameter("an AES-256 key has 32 bytes") }
            guard let pointer = EVP_CIPHER_CTX_new() else { throw .libraryFailure("start AES-256-GCM") }
            self.pointer = pointer
            let started = key.withUnsafeBufferPointer { key in
                nonce.withUnsafeBufferPointer { nonce in
                    EVP_CipherInit_ex2(
                        pointer, Fetched.aes256GCM.method, key.baseAddress, nonce.baseAddress,
                        encrypting ? 1 : 0, nil)
                }
            }
            guard started == 1 else { throw .libraryFailure("start AES-256-GCM") }
        }

        deinit { EVP_CIPHER_CTX_free(pointer) }

        func authenticate(_ additionalData: Span<UInt8>) throws(CryptoError) {
            guard update(additionalData, into: nil) else {
                throw .libraryFailure("authenticate additional data")
            }
        }

        func update(_ bytes: Span<UInt8>, into output: UnsafeMutablePointer<UInt8>?) -> Bool {
            guard bytes.count <= Int(Int32.max) else { return false }
            return bytes.isEmpty
                || bytes.withUnsafeBufferPointer {
                    EVP_CipherUpdate(pointer, output, &written, $0.baseAddress, Int32($0.count)) == 1
                }
        }

        func setTag(_ tag: Span<UInt8>) -> Bool {
            tag.withUnsafeBufferPointer { tag in
                EVP_CIPHER_CTX_ctrl(
                    pointer, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count),
                    UnsafeMutableRawPointer(mutating: tag.baseAddress))
                    == 1
            }
        }

        /// Checks the tag; GCM has no bytes left to write at the end.
        func isAuthentic() -> Bool {
            var none: UInt8 = 0
            return EVP_DecryptFinal_ex(pointer, &none, &written) == 1
        }
    }
}
