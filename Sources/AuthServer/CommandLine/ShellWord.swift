/// Words of a command line that a hint proposes.
enum ShellWord {
    /// The word as a shell takes it: in single quotes where it has other characters than usual ones.
    static func quoted(_ word: String) -> String {
        let isPlain = !word.isEmpty && word.utf8.allSatisfy(isPlainByte)
        return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
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
