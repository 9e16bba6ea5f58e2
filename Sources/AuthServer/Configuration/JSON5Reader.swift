/// Reads the members of one JSON5 object (https://spec.json5.org), one after the other. Of its values lists and
/// objects are left out, of its names escapes.
struct JSON5Reader {
    /// There is no object, or it is none from here on.
    struct Malformed: Error, Equatable {
        /// The line, in a text of several where an object has begun.
        let line: Int?
    }

    private let text: Substring.UnicodeScalarView
    private var rest: Substring.UnicodeScalarView
    private var hasBegun = false

    init(_ text: String) {
        self.text = Substring(text).unicodeScalars
        rest = self.text
    }

    /// The next member's name, after which its value is to be read; nil at the end.
    mutating func nextName() throws(Malformed) -> String? {
        try skipBlank()
        guard take(hasBegun ? "," : "{") else {
            guard hasBegun, take("}") else { throw malformed }
            return try end()
        }
        hasBegun = true
        try skipBlank()
        if take("}") { return try end() }
        let name = if let string = try string() { string } else { try identifier() }
        try skipBlank()
        guard take(":") else { throw malformed }
        return name
    }

    /// The member's value as a text; nil where it is no text, number or boolean.
    mutating func value() throws(Malformed) -> String? {
        try skipBlank()
        if let string = try string() { return string }
        let word = String(rest.prefix(while: Self.isOfWord))
        guard !word.isEmpty || rest.first == "[" || rest.first == "{" else { throw malformed }
        rest = rest.dropFirst(word.unicodeScalars.count)
        return ["true", "false"].contains(word) ? word : JSON5Number.text(word)
    }

    private mutating func end() throws(Malformed) -> String? {
        try skipBlank()
        guard rest.isEmpty else { throw malformed }
        return nil
    }

    private var malformed: Malformed {
        guard hasBegun, text.contains("\n") else { return Malformed(line: nil) }
        return Malformed(line: 1 + text[..<rest.startIndex].count { $0 == "\n" })
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func identifier() throws(Malformed) -> String {
        let name = rest.prefix { $0 == "$" || $0 == "_" || $0.properties.isIDContinue }
        guard let first = name.first, first == "$" || first == "_" || first.properties.isIDStart else {
            throw malformed
        }
        rest = rest.dropFirst(name.count)
        return String(name)
    }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        "+-._$".unicodeScalars.contains(scalar) || scalar.properties.isIDContinue
    }

    /// Drops white space and comments.
    private mutating func skipBlank() throws(Malformed) {
        while let first = rest.first {
            if first.properties.isWhitespace || first == "\u{FEFF}" {
                rest.removeFirst()
            } else if rest.starts(with: "//".unicodeScalars) {
                rest = rest.drop { !Self.endsLine($0) }
            } else if rest.starts(with: "/*".unicodeScalars) {
                try skipComment()
            } else {
                return
            }
        }
    }

    private mutating func skipComment() throws(Malformed) {
        var inside = rest.dropFirst(2)
        while !inside.isEmpty, !inside.starts(with: "*/".unicodeScalars) { inside.removeFirst() }
        guard !inside.isEmpty else { throw malformed }
        rest = inside.dropFirst(2)
    }

    private static func endsLine(_ scalar: Unicode.Scalar) -> Bool {
        ["\n", "\r", "\u{2028}", "\u{2029}"].contains(scalar)
    }
}

// MARK: Strings

extension JSON5Reader {
    /// A string in single or double quotes; nil where none begins.
    private mutating func string() throws(Malformed) -> String? {
        guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
        var inside = rest.dropFirst()
        var result = String.UnicodeScalarView()
        while let scalar = inside.popFirst(), scalar != "\n", scalar != "\r" {
            if scalar == quote {
                rest = inside
                return String(result)
            }
            if scalar != "\\" {
                result.append(scalar)
            } else if !Self.appendEscaped(&inside, to: &result) {
                break
            }
        }
        throw malformed
    }

    /// What follows a backslash; false where that is no escape sequence.
    private static func appendEscaped(
        _ inside: inout Substring.UnicodeScalarView, to result: inout String.UnicodeScalarView
    ) -> Bool {
        guard let scalar = inside.popFirst() else { return false }
        if scalar == "\r", inside.first == "\n" { inside.removeFirst() }
        if endsLine(scalar) { return true }
        let escaped: Unicode.Scalar?
        switch scalar {
        case "b": escaped = "\u{8}"
        case "f": escaped = "\u{C}"
        case "n": escaped = "\n"
        case "r": escaped = "\r"
        case "t": escaped = "\t"
        case "v": escaped = "\u{B}"
        case "0": escaped = inside.first.map { ("0"..."9").contains($0) } == true ? nil : "\0"
        case "1"..."9": escaped = nil
        case "x": escaped = unit(&inside, digits: 2).flatMap(Unicode.Scalar.init)
        case "u": escaped = codePoint(&inside)
        default: escaped = scalar
        }
        guard let escaped else { return false }
        result.append(escaped)
        return true
    }

    /// Four hexadecimal digits, or twice four for what needs a surrogate pair.
    private static func codePoint(_ inside: inout Substring.UnicodeScalarView) -> Unicode.Scalar? {
        guard let high = unit(&inside, digits: 4) else { return nil }
        guard UTF16.isLeadSurrogate(high), inside.starts(with: "\\u".unicodeScalars) else {
            return Unicode.Scalar(high)
        }
        inside = inside.dropFirst(2)
        guard let low = unit(&inside, digits: 4), UTF16.isTrailSurrogate(low) else { return nil }
        return String(decoding: [high, low], as: UTF16.self).unicodeScalars.first
    }

    private static func unit(_ inside: inout Substring.UnicodeScalarView, digits: Int) -> UInt16? {
        let text = inside.prefix(digits)
        guard text.count == digits, text.allSatisfy(\.properties.isASCIIHexDigit) else { return nil }
        inside = inside.dropFirst(digits)
        return UInt16(String(text), radix: 16)
    }
}
