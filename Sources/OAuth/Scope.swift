/// One scope token (RFC 6749 §3.3): 1 to 255 characters of %x21 / %x23-5B / %x5D-7E, case-sensitive.
public struct Scope: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The token as registered.
    public let value: String

    /// Takes a text that is a scope token.
    /// - Throws: `VocabularyError` when it is empty, too long or holds another character.
    public init(_ text: String) throws(VocabularyError) {
        guard !text.isEmpty, text.utf8.count <= 255, Self.areAllowed(text.utf8.span) else {
            throw VocabularyError(
                "a scope is 1 to 255 visible ASCII characters other than \" and \\ (RFC 6749 section 3.3)")
        }
        value = text
    }

    private static func areAllowed(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices where !isAllowed(bytes[index]) { return false }
        return true
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21, 0x23...0x5B, 0x5D...0x7E: true
        default: false
        }
    }

    /// The token itself.
    public var description: String { value }

    /// Orders by the characters' code points, for lists that print alike each time.
    public static func < (left: Scope, right: Scope) -> Bool { left.value < right.value }
}
