/// Text of others on its way to a log or a terminal.
package enum LogText {
    /// The text in double quotes, on one line, and short: what is not visible ASCII becomes `\u{…}`, so that nothing
    /// ends the line, moves a cursor or turns the direction of writing.
    package static func quoted(_ text: String, maximum: Int = 200) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars.prefix(maximum) {
            quoted += isPlain(scalar) ? String(scalar) : scalar.escaped(asASCII: true)
        }
        return quoted + (text.unicodeScalars.count > maximum ? "…\"" : "\"")
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        (0x20...0x7E).contains(scalar.value) && scalar != "\"" && scalar != "\\"
    }
}
