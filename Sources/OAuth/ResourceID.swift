/// The name of a protected resource: an `aud` value and a `resource` parameter (RFC 8707 §2).
///
/// An identifier such as `RESOURCE_ID_BOOK` or an absolute URI without fragment; 1 to 255 visible ASCII
/// characters other than `"`, `\`, `#` and `,`, compared byte by byte.
public struct ResourceID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The identifier as registered.
    public let value: String

    /// Takes a text that is a resource identifier.
    /// - Throws: `VocabularyError` when it is empty, too long or holds another character.
    public init(_ text: String) throws(VocabularyError) {
        guard !text.isEmpty, text.utf8.count <= 255, text.utf8.allSatisfy(Self.isAllowed) else {
            throw VocabularyError(
                "a resource id has 1 to 255 visible ASCII characters other than \" \\ # and ,")
        }
        value = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "#"), UInt8(ascii: ","): false
        case 0x21...0x7E: true
        default: false
        }
    }

    /// The identifier itself.
    public var description: String { value }

    /// Orders by the characters' code points, for lists that print alike each time.
    public static func < (left: ResourceID, right: ResourceID) -> Bool { left.value < right.value }
}
