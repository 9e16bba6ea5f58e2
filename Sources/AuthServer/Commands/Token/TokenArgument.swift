/// A token on the command line, or on standard input, where no other process sees it.
enum TokenArgument {
    /// Reads the token that a positional argument gives, or names with `-`; without the white space around it.
    static func read(_ argument: String, _ console: any Console) throws(CommandError) -> [UInt8] {
        let token = try text(argument, console)
        guard token.first != UInt8(ascii: "{") else {
            throw .usage(
                "this is the whole answer, and no token",
                hint: "take its access_token: jq -r .access_token | authserver token inspect")
        }
        guard !isHeader(token) else {
            throw .usage(
                "this is a header with a token in it, and no token",
                hint: "leave out what stands before the token: `Authorization:` and `Bearer`")
        }
        return token
    }

    /// Whether a name or the scheme stands before it. What is fed so is told rather than understood: a service that sends
    /// what is in that file has the scheme twice.
    private static func isHeader(_ text: [UInt8]) -> Bool {
        let beginning = String(decoding: text.prefix(14), as: UTF8.self).lowercased()
        return ["bearer ", "bearer\t", "authorization:"].contains(where: beginning.hasPrefix)
    }

    private static func text(_ argument: String, _ console: any Console) throws(CommandError) -> [UInt8] {
        guard argument == "-" else { return Array(argument.utf8) }
        guard let input = console.readAll(limit: 65_536) else {
            throw CommandError(
                .refused, "standard input cannot be read, or is too long for a token", hint: source)
        }
        let token = input.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
        guard !token.isEmpty else {
            throw .usage("there is no token on standard input", hint: source)
        }
        return Array(token)
    }

    private static let source = "give the token as an argument, or write - and feed it: - <token.txt"

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
