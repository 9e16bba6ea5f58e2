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
        guard !Self.hasControl(text.utf8.span) else {
            throw VocabularyError("a client id holds no control characters")
        }
        value = text
    }

    /// Takes a text in printable ASCII that is a client identifier.
    /// - Throws: `VocabularyError` when it is empty or too long.
    package init(printable text: String) throws(VocabularyError) {
        guard !text.isEmpty, text.utf8.count <= 255 else {
            throw VocabularyError("a client id has 1 to 255 bytes")
        }
        value = text
    }

    /// Whether some character is of the general category Cc, which is two blocks for ever: up to U+001F, and from
    /// U+007F to U+009F, of which all but the first are C2 and their last byte in UTF-8.
    private static func hasControl(_ bytes: Span<UInt8>) -> Bool {
        var isAfterC2 = false
        for index in bytes.indices {
            let byte = bytes[index]
            if byte < 0x20 || byte == 0x7F || isAfterC2 && byte <= 0x9F { return true }
            isAfterC2 = byte == 0xC2
        }
        return false
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
