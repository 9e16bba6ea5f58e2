/// Words of a command line that a hint proposes.
enum ShellWord {
    /// The word as a shell takes it: in single quotes where it has other characters than usual ones.
    static func quoted(_ word: String) -> String {
        let isPlain = !word.isEmpty && word.utf8.allSatisfy(isPlainByte)
        return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }

    /// A command line with an argument of somebody's choice, which may begin with a dash.
    /// - Parameters:
    ///   - words: the command's own words.
    ///   - argument: its first argument.
    ///   - more: its other arguments.
    ///   - flags: its flags; they stand before the dashes that make an argument of what looks like a flag.
    static func command(
        _ words: String, _ argument: String, _ more: String = "", flags: String = ""
    ) -> String {
        let parts =
            argument.hasPrefix("-")
            ? [words, flags, "--", quoted(argument), more] : [words, quoted(argument), more, flags]
        return (["authserver"] + parts.filter { !$0.isEmpty }).joined(separator: " ")
    }

    /// A flag with a value of somebody's choice, which may begin with dashes.
    static func flag(_ flag: Flag, _ value: String) -> String {
        flag.spelling + (value.hasPrefix("--") ? "=" : " ") + quoted(value)
    }

    private static func isPlainByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-_./:=,@%+".utf8.contains(byte)
        }
    }
}
