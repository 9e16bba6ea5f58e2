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

    /// Whether the name is `other`, which must be in lower case.
    func isNamed(_ other: String) -> Bool {
        name.utf8.count == other.utf8.count
            && zip(name.utf8, other.utf8).allSatisfy { ($0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0) == $1 }
    }
}
