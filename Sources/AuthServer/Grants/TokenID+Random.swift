import AuthStore
import JOSE
import OAuth
import OpenSSLCrypto

extension TokenID {
    /// A new identifier: 128 random bits, so that none is ever guessed or met twice.
    ///
    /// Its 22 characters hold four bits more; these come first, and tell the sixteenth of the second. A store that
    /// keeps tokens in the order of their identifiers so writes those that are issued together to few pages.
    static func random(at milliseconds: Milliseconds) -> TokenID {
        var bytes = SecureRandom.bytes(17)
        bytes[0] = UInt8((milliseconds % 1000).magnitude * 16 / 1000) << 4 | bytes[0] & 0x0F
        var text: [UInt8] = []
        Base64URL.encode(bytes.span, appendingTo: &text)
        guard let id = try? TokenID(base64URL: text.span.extracting(first: 22)) else {
            preconditionFailure("17 bytes are 23 characters of base64url")
        }
        return id
    }
}
