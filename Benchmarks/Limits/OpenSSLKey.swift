import COpenSSL
import OpenSSLCrypto

/// A key and what OpenSSL's manual says to do with it, call by call. A limit must not get quicker or slower
/// with the code that is measured against it, so nothing of `OpenSSLCrypto` is used to sign or to verify.
///
/// `@unchecked Sendable` is sound: nothing changes the key, and OpenSSL counts its references atomically.
final class OpenSSLKey: @unchecked Sendable {
    /// The key cannot be used.
    struct Failure: Error {}

    let pointer: OpaquePointer
    let algorithm: SignatureAlgorithm

    /// Takes a key that has been made already.
    init(pkcs8: borrowing SecretBytes, algorithm: SignatureAlgorithm) throws {
        let key = pkcs8.span.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return d2i_AutoPrivateKey(nil, &start, bytes.count)
        }
        guard let key else { throw Failure() }
        pointer = key
        self.algorithm = algorithm
    }

    /// Takes a public key (SubjectPublicKeyInfo).
    init(publicDER: [UInt8], algorithm: SignatureAlgorithm) throws {
        let key = publicDER.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return d2i_PUBKEY(nil, &start, bytes.count)
        }
        guard let key else { throw Failure() }
        pointer = key
        self.algorithm = algorithm
    }

    deinit { EVP_PKEY_free(pointer) }

    /// The public part (SubjectPublicKeyInfo).
    func publicDER() throws -> [UInt8] {
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = i2d_PUBKEY(pointer, &bytes)
        guard let bytes, count > 0 else { throw Failure() }
        defer { CRYPTO_free(bytes, nil, 0) }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    /// One signature the plain way: a context made for it, `EVP_DigestSignInit`, `EVP_DigestSign`.
    /// - Returns: whether it was made.
    func signPlainly(_ message: [UInt8]) -> Bool {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        let digest = algorithm == .eddsa ? nil : EVP_sha256()
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 512) { signature in
            var count = signature.count
            return EVP_DigestSignInit(context, nil, digest, nil, pointer) == 1
                && EVP_DigestSign(context, signature.baseAddress, &count, message, message.count) == 1
        }
    }
}
