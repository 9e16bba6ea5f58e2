/// One header field (RFC 9110 §5).
public struct HTTPField: Sendable, Hashable {
    /// The name as it came; compared without regard to case.
    public let name: String
    /// The value, without white space around it.
    public let value: String

    /// A field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Whether the name is `other`, which must be in lower case. Inline: a call would retain the texts.
    @inline(__always)
    func isNamed(_ other: String) -> Bool {
        guard name.utf8.count == other.utf8.count else { return false }
        let name = name.utf8Span.span
        let other = other.utf8Span.span
        for index in name.indices {
            let byte = name[index]
            guard (byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte) == other[index] else { return false }
        }
        return true
    }
}
