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

    /// The next eight bytes as a number, the first of them the lowest; nil where there are fewer.
    @inline(__always)
    var nextEight: UInt64? { bytes.count - index >= 8 ? bytes.word(at: index) : nil }

    /// Steps over so many bytes, or to the end.
    @inline(__always)
    mutating func skip(count: Int) { index = min(index + count, bytes.count) }

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
        if let eight = nextEight, let first = Self.eightDigits(eight) {
            value = first
            skip(count: 8)
        }
        while index < bytes.count, index < start + 15, case let digit = bytes[index] &- UInt8(ascii: "0"),
            digit <= 9
        {
            value = value &* 10 &+ Int64(digit)
            index += 1
        }
        let hasLeadingZero = index > start + 1 && bytes[start] == UInt8(ascii: "0")
        return index == start || hasLeadingZero ? nil : value
    }

    /// The number that eight digits make, the first of them the lowest byte; nil where they are not all digits.
    private static func eightDigits(_ characters: UInt64) -> Int64? {
        let digits = characters ^ 0x3030_3030_3030_3030
        // A sum has its upper bit where a digit would be more than 9.
        guard (digits &+ 0x7676_7676_7676_7676 | digits) & 0x8080_8080_8080_8080 == 0 else { return nil }
        // Neighbours are joined: digits to numbers of two, those to numbers of four, those to the whole.
        let twos = (digits &* 10 &+ digits >> 8) & 0x00FF_00FF_00FF_00FF
        let fours = (twos &* 100 &+ twos >> 16) & 0x0000_FFFF_0000_FFFF
        return Int64((fours &* 10_000 &+ fours >> 32) & 0xFFFF_FFFF)
    }
}
