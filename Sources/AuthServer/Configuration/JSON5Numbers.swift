/// Looks at the numbers of a JSON5 text before Foundation does, which ends the process over some, such as `0x0x2`.
enum JSON5Numbers {
    /// Whether every number outside strings and comments is whole and decimal; settings need no others.
    static func arePlain(_ text: some StringProtocol) -> Bool {
        var rest = Substring(text).utf8[...]
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): skipString(&rest, quote: byte)
            case UInt8(ascii: "/"): skipComment(&rest)
            case _ where isWordByte(byte):
                let word = rest.prefix(while: isWordByte)
                rest = rest.dropFirst(word.count)
                guard isPlain(word) else { return false }
            default: rest = rest.dropFirst()
            }
        }
        return true
    }

    /// Whether a word is no number, or a plain one.
    private static func isPlain(_ word: Substring.UTF8View.SubSequence) -> Bool {
        guard let first = word.first, first < UInt8(ascii: "A") else { return true }
        let isSigned = first == UInt8(ascii: "-") || first == UInt8(ascii: "+")
        let digits = isSigned ? word.dropFirst() : word
        return !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "."), 0x80...:
            true
        default: false
        }
    }

    private static func skipString(_ rest: inout Substring.UTF8View.SubSequence, quote: UInt8) {
        rest = rest.dropFirst()
        while let byte = rest.popFirst(), byte != quote {
            if byte == UInt8(ascii: "\\") { rest = rest.dropFirst() }
        }
    }

    private static func skipComment(_ rest: inout Substring.UTF8View.SubSequence) {
        rest = rest.dropFirst()
        if rest.first == UInt8(ascii: "/") {
            rest = rest.drop { $0 != 0x0A && $0 != 0x0D }
        } else if rest.first == UInt8(ascii: "*") {
            rest = rest.dropFirst()
            while let byte = rest.popFirst() {
                if byte == UInt8(ascii: "*"), rest.first == UInt8(ascii: "/") { break }
            }
            rest = rest.dropFirst()
        }
    }
}
