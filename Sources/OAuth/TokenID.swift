/// The `jti` of an access token (RFC 7519 §4.1.7): 22 characters of base64url with 128 random bits.
public struct TokenID: Hashable, Sendable, CustomStringConvertible {
    /// The identifier as it stands in the claim.
    public let value: String

    /// Takes a text that has the form of a token identifier of this product.
    /// - Throws: `VocabularyError` when it is not 22 characters of the base64url alphabet.
    public init(_ text: String) throws(VocabularyError) {
        guard text.utf8.count == 22, text.utf8.allSatisfy(Self.isBase64URL) else {
            throw VocabularyError("a token id is 22 characters of base64url")
        }
        value = text
    }

    /// Takes the `jti` of a token of any issuer: 1 to 255 bytes of UTF-8 without control characters.
    /// - Throws: `VocabularyError` when it is another text.
    public init(claim text: String) throws(VocabularyError) {
        guard !text.isEmpty, text.utf8.count <= 255, !Self.hasControl(text.utf8.span) else {
            throw VocabularyError("a token id has 1 to 255 bytes and no control characters")
        }
        value = text
    }

    /// Takes the `jti` of a token, in printable ASCII.
    /// - Throws: `VocabularyError` when it is empty or too long.
    package init(printable text: String) throws(VocabularyError) {
        guard !text.isEmpty, text.utf8.count <= 255 else {
            throw VocabularyError("a token id has 1 to 255 bytes and no control characters")
        }
        value = text
    }

    private static func hasControl(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices where bytes[index] < 0x20 || bytes[index] == 0x7F { return true }
        return false
    }

    private static func isBase64URL(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// The identifier itself: it names a token, it does not open anything.
    public var description: String { value }
}
