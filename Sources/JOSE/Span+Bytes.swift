extension Span<UInt8> {
    /// The place of the first such byte from `start` on. Looks at eight bytes at a time.
    @inline(__always)
    package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        var rest = extracting(start...)
        while rest.count >= 8 {
            let word = rest.word(at: 0)
            // Zero where the byte stands. The lowest bit that is found is that of the first such byte: a borrow makes
            // more of them, but only above it.
            let difference = word ^ Self.everywhere(byte)
            let found = (difference &- Self.everywhere(1)) & ~difference & Self.everywhere(0x80)
            if found != 0 { return count - rest.count + found.trailingZeroBitCount / 8 }
            rest = rest.extracting(droppingFirst: 8)
        }
        for index in rest.indices where rest[index] == byte { return count - rest.count + index }
        return nil
    }

    /// Whether both are the same bytes.
    package func isExactly(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard count >= 8 else {
            for index in indices where self[index] != other[index] { return false }
            return true
        }
        // The last word may overlap the one before.
        var difference = word(at: count - 8) ^ other.word(at: count - 8)
        var (rest, otherRest) = (self, other)
        while rest.count > 8, otherRest.count > 8 {
            difference |= rest.word(at: 0) ^ otherRest.word(at: 0)
            rest = rest.extracting(droppingFirst: 8)
            otherRest = otherRest.extracting(droppingFirst: 8)
        }
        return difference == 0
    }

    /// Whether all are printable ASCII, and none a reverse solidus.
    package var isPlainText: Bool {
        guard count >= 8 else {
            for index in indices {
                guard (0x20..<0x7F).contains(self[index]), self[index] != UInt8(ascii: "\\") else {
                    return false
                }
            }
            return true
        }
        // The last word may overlap the one before.
        var isPlain = Self.isPlainText(word(at: count - 8))
        var rest = self
        while rest.count > 8 {
            isPlain &= Self.isPlainText(rest.word(at: 0))
            rest = rest.extracting(droppingFirst: 8)
        }
        return isPlain & Self.everywhere(0x80) == Self.everywhere(0x80)
    }

    /// Sets the upper bit of each byte that `isPlainText` takes, where that is all of them.
    @inline(__always)
    private static func isPlainText(_ word: UInt64) -> UInt64 {
        // Below 0x80 each sum has its upper bit where what it stands for is so, and none reaches the next byte.
        let isPrintable = (word &+ everywhere(0x80 - 0x20)) & ~(word &+ everywhere(1))
        let isNoSolidus = (word ^ everywhere(UInt8(ascii: "\\"))) &+ everywhere(0x7F)
        return isPrintable & isNoSolidus & ~word
    }

    /// Eight bytes as a number, the first of them the lowest.
    @inline(__always)
    package func word(at index: Int) -> UInt64 {
        let eight = extracting(index..<index + 8)
        var word: UInt64 = 0
        for place in 0..<8 { word |= UInt64(eight[place]) << UInt64(truncatingIfNeeded: 8 * place) }
        return word
    }

    @inline(__always)
    private static func everywhere(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }
}
