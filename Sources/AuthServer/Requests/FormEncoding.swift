/// `application/x-www-form-urlencoded` text (RFC 6749 appendix B): `+` is a space, `%HH` a byte, all UTF-8.
enum FormEncoding {
    /// Decodes one name or value.
    /// - Returns: nil for a `%` without two hexadecimal digits, a NUL, or bytes that are no UTF-8.
    static func decode(_ text: ArraySlice<UInt8>) -> String? {
        if text.allSatisfy(isPlain) { return String(decoding: text, as: UTF8.self) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var iterator = text.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "+"):
                bytes.append(0x20)
            case UInt8(ascii: "%"):
                guard let high = iterator.next().flatMap(hexadecimal),
                    let low = iterator.next().flatMap(hexadecimal)
                else { return nil }
                bytes.append(high << 4 | low)
            default:
                bytes.append(byte)
            }
        }
        return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }

    /// Whether a byte stands for itself: ASCII but NUL, `+` and `%`.
    private static func isPlain(_ byte: UInt8) -> Bool {
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
