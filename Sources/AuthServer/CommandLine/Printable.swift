/// Makes texts that came from elsewhere safe to print: no control character reaches a terminal.
enum Printable {
    /// The text with control and format characters written as `\u{…}`, shortened when it is very long.
    static func text(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars.prefix(limit) {
            if isPlain(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return text.unicodeScalars.count > limit ? result + "…" : result
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
