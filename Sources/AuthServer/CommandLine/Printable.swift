/// Makes texts that came from elsewhere safe to print: no control character reaches a terminal.
enum Printable {
    /// The text with control and format characters written as `\u{…}`. A very long one is shortened in its middle: a
    /// message that names a long path still ends in the reason.
    static func text(_ text: String) -> String {
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

    /// The printable text in double quotes. A word in the wrong place may be a token, of which no more than its kind is
    /// shown.
    static func quoted(_ value: String) -> String { isToken(value) ? "\"eyJ…\"" : "\"\(text(value))\"" }

    /// Whether it has the form of a JWT: three parts, of which the first is a JSON object in base64url.
    static func isToken(_ value: String) -> Bool {
        value.hasPrefix("eyJ") && value.utf8.count { $0 == UInt8(ascii: ".") } == 2
    }

    private static let limit = 1024

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: return false
        default: return true
        }
    }
}
