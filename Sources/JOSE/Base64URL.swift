/// Base64url without padding (RFC 7515 §2, RFC 4648 §5).
///
/// Decoding is strict: no padding, no other characters, no set bits after the last byte (RFC 4648 §3.5), so that each
/// byte string has exactly one text.
public enum Base64URL {
    /// The text of these bytes.
    public static func encode(_ bytes: Span<UInt8>) -> String {
        var text: [UInt8] = []
        encode(bytes, appendingTo: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// The text of these bytes.
    public static func encode(_ bytes: [UInt8]) -> String { encode(bytes.span) }

    /// Appends the text of these bytes, in ASCII.
    public static func encode(_ bytes: Span<UInt8>, appendingTo output: inout [UInt8]) {
        // Without room to append, an empty array's storage would be written, which all threads share.
        guard !bytes.isEmpty else { return }
        let table = alphabet
        let letters = table.span
        output.append(addingCapacity: encodedByteCount(bytes.count)) { output in
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

    /// How many characters the text of this many bytes has.
    public static func encodedByteCount(_ count: Int) -> Int { (count * 4 + 2) / 3 }

    /// The bytes of this text; `nil` when it is not base64url without padding.
    public static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        let tail = text.count % 4
        guard tail != 1 else { return nil }
        let table = values
        let value = table.span
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
                if b & 0x0F != 0 { seen = invalid }
                return
            }
            let c = value[Int(text[index + 2])]
            seen |= c
            output.append(b << 4 | c >> 2)
            if c & 0x03 != 0 { seen = invalid }
        }
        return seen == invalid ? nil : bytes
    }

    /// The bytes of this text; `nil` when it is not base64url without padding.
    public static func decode(_ text: String) -> [UInt8]? { decode(text.utf8.span) }

    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// All bits set: no other combination of values has the upper two.
    private static let invalid: UInt8 = 0xFF
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: invalid, count: 256)
        for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }()
}
