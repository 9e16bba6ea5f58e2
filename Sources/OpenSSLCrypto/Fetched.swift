internal import COpenSSL

/// Algorithms that are looked up once: a lookup costs about as much as hashing a kilobyte.
///
/// `@unchecked Sendable` is sound: OpenSSL's method objects are immutable and counted atomically.
struct Fetched: @unchecked Sendable {
    /// An `EVP_MD`, `EVP_MAC`, `EVP_KDF` or `EVP_CIPHER`.
    let method: OpaquePointer

    private init(_ method: OpaquePointer?, _ name: StaticString) {
        guard let method else {
            fatalError("libcrypto has no \(name): the installation is broken, or a FIPS policy forbids it")
        }
        self.method = method
    }

    static let sha256 = Fetched(EVP_MD_fetch(nil, "SHA2-256", nil), "SHA-256")
    static let hmac = Fetched(EVP_MAC_fetch(nil, "HMAC", nil), "HMAC")
    static let scrypt = Fetched(EVP_KDF_fetch(nil, "SCRYPT", nil), "scrypt")
    static let aes256GCM = Fetched(EVP_CIPHER_fetch(nil, "AES-256-GCM", nil), "AES-256-GCM")
}
