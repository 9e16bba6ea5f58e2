/// One of the two alphabets of base64 (RFC 4648 §4 and §5), without padding.
///
/// Decoding is strict: no other characters, no set bits after the last byte (§3.5), so that each byte string has
/// exactly one text.
package struct Base64Alphabet: Sendable {
    /// That of file names and URLs (RFC 4648 §5).
    package static let url = Base64Alphabet(last: "-_")
    /// The first one (RFC 4648 §4).
    package static let standard = Base64Alphabet(last: "+/")

    private let letters: [UInt8]
    private let values: [UInt8]
    /// All bits set: no other combination of values has the upper two.
    private static let invalid: UInt8 = 0xFF

    private init(last: StaticString) {
        letters = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(last)".utf8)
        var values = [UInt8](repeating: Self.invalid, count: 256)
        for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
        self.values = values
    }

    /// Appends the text of these bytes, in ASCII.
    func encode(_ bytes: Span<UInt8>, appendingTo output: inout [UInt8]) {
        // Without room to append, an empty array's storage would be written, which all threads share.
        guard !bytes.isEmpty else { return }
        let letters = letters.span
        output.append(addingCapacity: (bytes.count * 4 + 2) / 3) { output in
            var index = 0
            while index + 3 <= bytes.count {
                let group = Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
                output.append(letters[group >> 18])
                output.append(letters[group >> 12 & 0x3F])
                output.append(letters[group >> 6 & 0x3F])
                output.append(letters[group & 0x3F])
                index += 3
            }
            guard index < bytes.count else { return }
            let second = index + 1 < bytes.count ? Int(bytes[index + 1]) : nil
            let group = Int(bytes[index]) << 16 | (second ?? 0) << 8
            output.append(letters[group >> 18])
            output.append(letters[group >> 12 & 0x3F])
            if second != nil { output.append(letters[group >> 6 & 0x3F]) }
        }
    }

    /// The bytes of this text; `nil` when it is another text.
    package func decode(_ text: Span<UInt8>) -> [UInt8]? {
        let tail = text.count % 4
        guard tail != 1 else { return nil }
        let value = values.span
        var seen: UInt8 = 0
        let bytes = [UInt8](capacity: text.count / 4 * 3 + 2) { output in
            var index = 0
            while index + 4 <= text.count {
                let (a, b) = (value[Int(text[index])], value[Int(text[index + 1])])
                let (c, d) = (value[Int(text[index + 2])], value[Int(text[index + 3])])
                seen |= a | b | c | d
                output.append(a << 2 | b >> 4)
                output.append(b << 4 | c >> 2)
                output.append(c << 6 | d)
                index += 4
            }
            guard tail > 0 else { return }
            let (a, b) = (value[Int(text[index])], value[Int(text[index + 1])])
            seen |= a | b
            output.append(a << 2 | b >> 4)
            guard tail == 3 else {
                if b & 0x0F != 0 { seen = Self.invalid }
                return
            }
            let c = value[Int(text[index + 2])]
            seen |= c
            output.append(b << 4 | c >> 2)
            if c & 0x03 != 0 { seen = Self.invalid }
        }
        return seen == Self.invalid ? nil : bytes
    }
}
