internal import COpenSSL

/// An `EVP_PKEY_CTX` or, for Ed25519, an `EVP_MD_CTX`, ready to sign or verify one message after the other.
///
/// Making one costs several microseconds, so that it is kept. Not for two threads at once.
///
/// `@unchecked Sendable` is sound because whoever holds one is its only user: a `Signer` is confined to its thread,
/// and a `Verifier` hands each of its contexts to one caller at a time.
final class SignatureContext: @unchecked Sendable {
    enum Purpose { case signing, verifying }

    /// For ES256, RS256 and PS256, which work on a digest.
    private let keyContext: OpaquePointer?
    /// For EdDSA, which works on the message: a started context, and one that it is copied to for each use.
    private let template: OpaquePointer?
    private let scratch: OpaquePointer?

    init(_ handle: KeyHandle, _ algorithm: SignatureAlgorithm, _ purpose: Purpose) throws(CryptoError) {
        if algorithm == .eddsa {
            (keyContext, template, scratch) = (nil, EVP_MD_CTX_new(), EVP_MD_CTX_new())
        } else {
            (keyContext, template, scratch) = (EVP_PKEY_CTX_new_from_pkey(nil, handle.pointer, nil), nil, nil)
        }
        guard
            algorithm == .eddsa
                ? startMessage(handle, purpose) : startDigest(purpose) && set(algorithm)
        else { throw .libraryFailure("start \(algorithm.rawValue)") }
    }

    deinit {
        EVP_PKEY_CTX_free(keyContext)
        EVP_MD_CTX_free(template)
        EVP_MD_CTX_free(scratch)
    }

    private func startMessage(_ handle: KeyHandle, _ purpose: Purpose) -> Bool {
        guard scratch != nil else { return false }
        return switch purpose {
        case .signing: EVP_DigestSignInit(template, nil, nil, nil, handle.pointer) == 1
        case .verifying: EVP_DigestVerifyInit(template, nil, nil, nil, handle.pointer) == 1
        }
    }

    private func startDigest(_ purpose: Purpose) -> Bool {
        switch purpose {
        case .signing: EVP_PKEY_sign_init(keyContext) == 1
        case .verifying: EVP_PKEY_verify_init(keyContext) == 1
        }
    }

    private func set(_ algorithm: SignatureAlgorithm) -> Bool {
        let digest = Fetched.sha256.method
        guard algorithm != .es256 else { return EVP_PKEY_CTX_set_signature_md(keyContext, digest) == 1 }
        let padding = algorithm == .ps256 ? RSA_PKCS1_PSS_PADDING : RSA_PKCS1_PADDING
        guard EVP_PKEY_CTX_set_rsa_padding(keyContext, padding) == 1,
            EVP_PKEY_CTX_set_signature_md(keyContext, digest) == 1
        else { return false }
        return algorithm != .ps256
            || EVP_PKEY_CTX_set_rsa_mgf1_md(keyContext, digest) == 1
                && EVP_PKEY_CTX_set_rsa_pss_saltlen(keyContext, Int32(SHA256.byteCount)) == 1
    }

    /// Signs; the signature is in OpenSSL's form. Returns its length, or `nil` when OpenSSL failed.
    func sign(_ message: Span<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>) -> Int? {
        var count = output.count
        let signed =
            if keyContext != nil {
                withDigest(of: message, after: nil) {
                    EVP_PKEY_sign(keyContext, output.baseAddress, &count, $0, SHA256.byteCount)
                }
            } else if EVP_MD_CTX_copy_ex(scratch, template) == 1 {
                message.withUnsafeBufferPointer {
                    EVP_DigestSign(scratch, output.baseAddress, &count, $0.baseAddress, $0.count)
                }
            } else {
                Int32(0)
            }
        return signed == 1 ? count : nil
    }

    /// Whether a signature in OpenSSL's form is right.
    /// - Parameter beginning: what `message` begins with, where it was hashed before.
    func verify(
        _ signature: UnsafeBufferPointer<UInt8>, of message: Span<UInt8>, after beginning: SHA256.Beginning?
    ) -> Bool {
        let verified =
            if keyContext != nil {
                withDigest(of: message, after: beginning) {
                    EVP_PKEY_verify(keyContext, signature.baseAddress, signature.count, $0, SHA256.byteCount)
                }
            } else if EVP_MD_CTX_copy_ex(scratch, template) == 1 {
                message.withUnsafeBufferPointer {
                    EVP_DigestVerify(
                        scratch, signature.baseAddress, signature.count, $0.baseAddress, $0.count)
                }
            } else {
                Int32(0)
            }
        if verified != 1 { ERR_clear_error() }
        return verified == 1
    }

    private func withDigest(
        of message: Span<UInt8>, after beginning: SHA256.Beginning?,
        _ body: (UnsafeMutablePointer<UInt8>?) -> Int32
    ) -> Int32 {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: SHA256.byteCount) { digest in
            SHA256.hash(message, after: beginning, into: digest.baseAddress)
            return body(digest.baseAddress)
        }
    }
}
