import JOSE
import Testing

@Suite("Bytes that are looked at eight at a time") struct SpanBytesTests {
    @Test("the first such byte is found wherever it stands, whatever stands around it")
    func firstIndex() {
        for filler in [UInt8(0), 0x2D, 0x2F, 0xAE, 0xFF] {
            for count in 0..<40 {
                var bytes = [UInt8](repeating: filler, count: count)
                #expect(bytes.place(of: 0x2E, from: 0) == nil)
                for place in (0..<count).reversed() {
                    bytes[place] = 0x2E
                    #expect(bytes.place(of: 0x2E, from: 0) == place)
                    #expect(bytes.place(of: 0x2E, from: place + 1) == (place + 1 < count ? place + 1 : nil))
                }
            }
        }
    }

    @Test("one byte more, fewer or other is another text")
    func isExactly() {
        for count in 0..<40 {
            let bytes = (0..<count).map(UInt8.init)
            #expect(bytes.isExactly(bytes))
            #expect(!bytes.isExactly(bytes + [0]))
            for place in 0..<count {
                var other = bytes
                other[place] ^= 0x80
                #expect(!bytes.isExactly(other))
            }
        }
    }

    @Test("plain text is U+0020 to U+007E without the reverse solidus")
    func isPlainText() {
        for byte in UInt8.min...UInt8.max {
            let isPlain = (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\\")
            for (count, place) in [(1, 0), (8, 0), (8, 7), (12, 3), (12, 11), (16, 8)] {
                for filler in [UInt8(ascii: " "), UInt8(ascii: "a"), UInt8(ascii: "~")] {
                    var bytes = [UInt8](repeating: filler, count: count)
                    bytes[place] = byte
                    #expect(bytes.isPlainText == isPlain)
                }
            }
        }
    }
}

/// What `#expect` can call.
extension [UInt8] {
    fileprivate func place(of byte: UInt8, from start: Int) -> Int? { span.firstIndex(of: byte, from: start) }
    fileprivate func isExactly(_ other: [UInt8]) -> Bool { span.isExactly(other.span) }
    fileprivate var isPlainText: Bool { span.isPlainText }
}
