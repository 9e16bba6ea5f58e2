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

    /// The printable text in double quotes.
    static func quoted(_ value: String) -> String { "\"\(text(value))\"" }

    private static let limit = 1024

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: return false
        default: return true
        }
    }
}
