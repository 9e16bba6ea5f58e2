/// `application/x-www-form-urlencoded` text (RFC 6749 appendix B): `+` is a space, `%HH` a byte, all UTF-8.
enum FormEncoding {
    /// Decodes one name or value.
    /// - Returns: nil for a `%` without two hexadecimal digits, a NUL, or bytes that are no UTF-8.
    static func decode(_ text: Span<UInt8>) -> String? {
        if isPlain(text), let text = try? UTF8Span(validating: text) { return String(copying: text) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "+"):
                bytes.append(0x20)
            case UInt8(ascii: "%"):
                guard index + 2 < text.count, let high = hexadecimal(text[index + 1]),
                    let low = hexadecimal(text[index + 2])
                else { return nil }
                bytes.append(high << 4 | low)
                index += 2
            default:
                bytes.append(text[index])
            }
            index += 1
        }
        return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }

    private static func isPlain(_ text: Span<UInt8>) -> Bool {
        for index in text.indices where !isPlain(text[index]) { return false }
        return true
    }

    /// Whether a byte stands for itself: ASCII but NUL, `+` and `%`.
    static func isPlain(_ byte: UInt8) -> Bool {
        byte &- 1 < 0x7F && byte != UInt8(ascii: "+") && byte != UInt8(ascii: "%")
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
