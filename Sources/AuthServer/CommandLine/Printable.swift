/// Makes texts that came from elsewhere safe to print: no control character reaches a terminal.
enum Printable {
    /// The text with control and format characters written as `\u{…}`, and of a token no more than its kind. A very long
    /// one is shortened in its middle: a message that names a long path still ends in the reason.
    static func text(_ text: String) -> String {
        let text = withoutTokens(text)
        let scalars = text.unicodeScalars
        guard scalars.count > limit else { return escaped(scalars[...]) }
        return escaped(scalars.prefix(limit * 3 / 4)) + "…" + escaped(scalars.suffix(limit / 4))
    }

    private static func escaped(_ scalars: Substring.UnicodeScalarView) -> String {
        var result = ""
        for scalar in scalars {
            if isPlain(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return result
    }

    /// The printable text in double quotes.
    static func quoted(_ value: String) -> String { "\"\(text(value))\"" }

    /// The text with `eyJ…` in the place of each JWT, wherever in it that stands: what is in the wrong place may be one.
    /// It begins as a JSON object in base64url does, and goes on with such characters and at least one dot.
    static func withoutTokens(_ text: String) -> String {
        let start = Array("eyJ".utf8)
        guard text.utf8.contains(UInt8(ascii: ".")), text.contains("eyJ") else { return text }
        var (result, rest) = ([UInt8](), Array(text.utf8)[...])
        while let found = rest.firstRange(of: start) {
            result += rest[..<found.lowerBound]
            let token = rest[found.lowerBound...].prefix(while: isOfToken)
            result += token.contains(UInt8(ascii: ".")) ? Array("eyJ…".utf8) : Array(token)
            rest = rest[(found.lowerBound + token.count)...]
        }
        return String(decoding: result + rest, as: UTF8.self)
    }

    private static func isOfToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: false
        }
    }

    /// Whether a JWT stands somewhere in it.
    static func holdsToken(_ text: String) -> Bool { withoutTokens(text) != text }

    private static let limit = 1024

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: return false
        default: return true
        }
    }
}
