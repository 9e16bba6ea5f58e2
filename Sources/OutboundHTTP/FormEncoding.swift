/// `application/x-www-form-urlencoded` (RFC 6749 appendix B).
package enum FormEncoding {
    /// Encodes pairs as a body.
    package static func encode(_ pairs: [(name: String, value: String)]) -> [UInt8] {
        var body: [UInt8] = []
        for pair in pairs {
            if !body.isEmpty { body.append(UInt8(ascii: "&")) }
            append(pair.name, to: &body)
            body.append(UInt8(ascii: "="))
            append(pair.value, to: &body)
        }
        return body
    }

    /// Encodes one value: letters, digits and `*-._` stay, a space is `+`, all else is `%XX` of its UTF-8.
    package static func append(_ text: String, to output: inout [UInt8]) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "-"),
                UInt8(ascii: "."), UInt8(ascii: "_"):
                output.append(byte)
            case UInt8(ascii: " "):
                output.append(UInt8(ascii: "+"))
            default:
                output.append(UInt8(ascii: "%"))
                output.append(hexadecimal(byte >> 4))
                output.append(hexadecimal(byte & 15))
            }
        }
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
    }
}
