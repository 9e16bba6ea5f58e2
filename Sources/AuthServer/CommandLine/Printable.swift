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
    /// It begins as a JSON object in base64url does, and goes on with such characters and at least one dot; also over
    /// the ends of lines, as a letter or a terminal breaks it.
    static func withoutTokens(_ text: String) -> String {
        let start = Array("eyJ".utf8)
        guard text.contains("eyJ") else { return text }
        var (result, rest) = ([UInt8](), Array(text.utf8)[...])
        while let found = rest.firstRange(of: start) {
            result += rest[..<found.lowerBound]
            let (token, hasDot) = tokenLike(rest[found.lowerBound...])
            result += hasDot ? Array("eyJ…".utf8) : Array(token)
            rest = rest[token.endIndex...]
        }
        return String(decoding: result + rest, as: UTF8.self)
    }

    /// How far a text goes on as a token does, and whether there is a dot in that.
    private static func tokenLike(_ text: ArraySlice<UInt8>) -> (token: ArraySlice<UInt8>, hasDot: Bool) {
        var (rest, hasDot) = (text, false)
        while let byte = rest.first {
            if isOfToken(byte) {
                hasDot = hasDot || byte == UInt8(ascii: ".")
                rest.removeFirst()
            } else if byte == UInt8(ascii: "%"), rest.dropFirst().starts(with: "2e".utf8, by: isAlike) {
                hasDot = true
                rest.removeFirst(3)
            } else {
                let blank = rest.prefix(while: " \t\r\n".utf8.contains)
                guard blank.contains(where: "\r\n".utf8.contains),
                    rest[blank.endIndex...].first.map(isOfToken) == true
                else { break }
                rest = rest[blank.endIndex...]
            }
        }
        return (text[..<rest.startIndex], hasDot)
    }

    private static func isAlike(_ left: UInt8, _ right: UInt8) -> Bool { left | 0x20 == right | 0x20 }

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
