internal import COpenSSL

extension SHA256 {
    /// What texts begin with, hashed once: the digest of such a text goes on from here.
    ///
    /// `@unchecked Sendable` is sound because the context is written by `init` alone. To copy it reads it, and what it
    /// shares with its copies is counted atomically by OpenSSL.
    package final class Beginning: @unchecked Sendable {
        /// How many bytes were hashed.
        let byteCount: Int
        private let context: OpaquePointer?

        /// Hashes these bytes.
        package init(_ bytes: Span<UInt8>) {
            byteCount = bytes.count
            context = EVP_MD_CTX_new()
            precondition(
                EVP_DigestInit_ex2(context, Fetched.sha256.method, nil) == 1, "SHA-256 could not start")
            SHA256.update(context, bytes)
        }

        deinit { EVP_MD_CTX_free(context) }

        /// Makes another context one that has hashed the same.
        func copy(to other: OpaquePointer?) {
            precondition(EVP_MD_CTX_copy_ex(other, context) == 1, "SHA-256 could not go on")
        }
    }
}
