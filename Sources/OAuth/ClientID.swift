/// A client identifier (RFC 6749 §2.2): 1 to 255 bytes of UTF-8 without control characters.
public struct ClientID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The identifier as registered.
    public let value: String

    /// Takes a text that is a client identifier.
    /// - Throws: `VocabularyError` when it is empty, too long or holds a control character.
    public init(_ text: String) throws(VocabularyError) {
        guard !text.isEmpty, text.utf8.count <= 255 else {
            throw VocabularyError("a client id has 1 to 255 bytes")
        }
        guard !text.unicodeScalars.contains(where: Self.isControl) else {
            throw VocabularyError("a client id holds no control characters")
        }
        value = text
    }

    /// The general category Cc, which is these two blocks for ever.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }

    /// The identifier itself.
    public var description: String { value }

    /// Equal byte by byte: two spellings of one character are two identifiers, as in the registry.
    public static func == (left: ClientID, right: ClientID) -> Bool {
        left.value.utf8.elementsEqual(right.value.utf8)
    }

    /// Feeds the text: equal bytes give equal hashes.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }

    /// Orders by the characters' code points, for lists that print alike each time.
    public static func < (left: ClientID, right: ClientID) -> Bool { left.value < right.value }
}
