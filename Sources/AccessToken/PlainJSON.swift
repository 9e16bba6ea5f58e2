internal import JOSE

/// Walks through JSON that is written plainly: no white space, and nothing but printable ASCII without a reverse
/// solidus, so that a text ends at the next quotation mark and is what it says. That is a small part of JSON; all
/// else is `JSON.parse`'s.
struct PlainJSON: ~Escapable {
    private let bytes: Span<UInt8>
    private var index = 0

    /// Starts at the first byte; nil where the bytes are not plain.
    @_lifetime(copy bytes)
    init?(_ bytes: Span<UInt8>) {
        guard bytes.isPlainText else { return nil }
        self.bytes = bytes
    }

    /// Whether all was read.
    var isAtEnd: Bool { index == bytes.count }

    /// Steps over this byte where it is next.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    /// Steps over a text, and tells where it stands between its quotation marks.
    mutating func text() -> Range<Int>? {
        guard skip(UInt8(ascii: "\"")), let end = bytes.firstIndex(of: UInt8(ascii: "\""), from: index) else {
            return nil
        }
        defer { index = end + 1 }
        return index..<end
    }

    /// Steps over a text or an array of texts that is not empty, and tells where it stands as a whole.
    mutating func textOrTexts() -> Range<Int>? {
        let start = index
        if skip(UInt8(ascii: "[")) {
            repeat { guard text() != nil else { return nil } } while skip(UInt8(ascii: ","))
            guard skip(UInt8(ascii: "]")) else { return nil }
        } else if text() == nil {
            return nil
        }
        return start..<index
    }

    /// The bytes there.
    subscript(range: Range<Int>) -> Span<UInt8> {
        @_lifetime(copy self) get { bytes.extracting(range) }
    }

    /// A whole number that is not negative, of at most 15 digits: far from what an `Int64` or a double holds exactly.
    mutating func number() -> Int64? {
        let start = index
        var value: Int64 = 0
        while index < bytes.count, index < start + 15, case let digit = bytes[index] &- UInt8(ascii: "0"),
            digit <= 9
        {
            value = value &* 10 &+ Int64(digit)
            index += 1
        }
        let hasLeadingZero = index > start + 1 && bytes[start] == UInt8(ascii: "0")
        return index == start || hasLeadingZero ? nil : value
    }
}
