extension Span<UInt8> {
    /// The place of the first such byte from `start` on. Looks at eight bytes at a time.
    @inline(__always)
    package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        var rest = extracting(start...)
        while let word = rest.firstWord {
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
        var (rest, otherRest) = (self, other)
        while let word = rest.firstWord, let otherWord = otherRest.firstWord {
            guard word == otherWord else { return false }
            rest = rest.extracting(droppingFirst: 8)
            otherRest = otherRest.extracting(droppingFirst: 8)
        }
        for index in rest.indices where rest[index] != otherRest[index] { return false }
        return true
    }

    /// Whether all are printable ASCII, and none a reverse solidus.
    package var isPlainText: Bool {
        var rest = self
        while let word = rest.firstWord {
            // Below 0x80 each sum has its upper bit where what it stands for is so, and none reaches the next byte.
            let isPrintable = (word &+ Self.everywhere(0x80 - 0x20)) & ~(word &+ Self.everywhere(1))
            let isNoSolidus = (word ^ Self.everywhere(UInt8(ascii: "\\"))) &+ Self.everywhere(0x7F)
            guard isPrintable & isNoSolidus & ~word & Self.everywhere(0x80) == Self.everywhere(0x80) else {
                return false
            }
            rest = rest.extracting(droppingFirst: 8)
        }
        for index in rest.indices {
            guard (0x20..<0x7F).contains(rest[index]), rest[index] != UInt8(ascii: "\\") else { return false }
        }
        return true
    }

    /// The first eight bytes as a number, the first of them the lowest; nil where there are fewer.
    @inline(__always)
    private var firstWord: UInt64? {
        guard count >= 8 else { return nil }
        var word: UInt64 = 0
        for place in 0..<8 { word |= UInt64(self[place]) << UInt64(truncatingIfNeeded: 8 * place) }
        return word
    }

    @inline(__always)
    private static func everywhere(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }
}
