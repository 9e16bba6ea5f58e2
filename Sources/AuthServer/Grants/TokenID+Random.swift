import JOSE
import OAuth
import OpenSSLCrypto

extension TokenID {
    /// A new identifier: 128 random bits, so that none is ever guessed or met twice.
    static func random() -> TokenID {
        let text = Base64URL.encode(SecureRandom.bytes(16))
        guard let id = try? TokenID(text) else {
            preconditionFailure("16 bytes are 22 characters of base64url")
        }
        return id
    }
}
