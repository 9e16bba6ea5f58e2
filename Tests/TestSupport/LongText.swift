/// A text among a test's arguments that may be long: it is shown by how it begins, so that reports stay readable.
public struct LongText: Sendable, CustomStringConvertible {
    /// The text.
    public let text: String

    /// Wraps a text.
    public init(_ text: String) { self.text = text }

    /// The beginning, and how many bytes it has where that is not all.
    public var description: String {
        let shown = text.prefix(60)
        return shown.debugDescription + (shown.endIndex < text.endIndex ? " … \(text.utf8.count) bytes" : "")
    }
}
