import JOSE

/// Base64 with padding, as HTTP Basic has it (RFC 4648 §4); nothing else is taken for it.
enum Base64 {
    /// Decodes a text.
    /// - Returns: nil for another alphabet, missing or misplaced padding, or bits left over.
    static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        guard !text.isEmpty, text.count % 4 == 0 else { return nil }
        var end = text.count
        while end > text.count - 2, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
        return Base64Alphabet.standard.decode(text.extracting(..<end))
    }
}
