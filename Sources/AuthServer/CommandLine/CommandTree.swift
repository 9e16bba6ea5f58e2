/// All subcommands, and how the words of a command line lead to one.
struct CommandTree: Sendable {
    /// What `authserver --help` prints.
    let usage: String
    /// Commands of one word.
    let commands: [Command]
    /// Commands of two words, by their first.
    let groups: [CommandGroup]

    /// Where a command line leads.
    enum Destination: Sendable {
        /// To a command, with the arguments after its words.
        case command(Command, arguments: [String])
        /// To a usage text that was asked for.
        case help(String)
        /// To a usage text, because words are missing.
        case incomplete(String)
        /// To the version.
        case version
    }

    /// Every command.
    var allCommands: [Command] { commands + groups.flatMap(\.commands) }

    /// What may be meant by flags that a command does not have: what it says itself, and what other commands of its
    /// group do, as `client grant` by the `--grant` of `client set`.
    func meant(at command: Command) -> [String: String] {
        let group = groups.first { $0.word == command.words.first }
        let others = (group?.commands ?? []).filter { $0.words != command.words }
            .map { ("--\($0.words.last ?? "")", $0.name) }
        return command.meant.merging(others) { own, _ in own }
    }

    /// Follows the words of a command line.
    /// - Throws: a usage error for a word that names nothing, with the nearest one that does.
    func destination(of arguments: [String]) throws(CommandError) -> Destination {
        guard let first = arguments.first else { return .incomplete(usage) }
        let rest = Array(arguments.dropFirst())
        switch first {
        case "--help", "-h": return .help(usage)
        case "--version", "version": return .version
        case "help": return .help(try helpText(for: rest.filter { !$0.hasPrefix("-") }))
        default: break
        }
        guard !first.hasPrefix("-") else {
            throw misplaced(first, before: rest)
        }
        if let command = commands.first(where: { $0.words == [first] }) {
            return .command(command, arguments: rest)
        }
        guard let group = groups.first(where: { $0.word == first }) else { throw unknown(first) }
        return try destination(in: group, arguments: rest)
    }

    private func destination(in group: CommandGroup, arguments: [String]) throws(CommandError) -> Destination
    {
        guard let word = arguments.first else { return .incomplete(group.usage) }
        if ["--help", "-h", "help"].contains(word) { return .help(group.usage) }
        guard !word.hasPrefix("-") else {
            throw misplaced(word, before: Array(arguments.dropFirst()), in: group)
        }
        guard let command = group.commands.first(where: { $0.words.last == word }) else {
            throw unknown(word, in: group)
        }
        return .command(command, arguments: Array(arguments.dropFirst()))
    }

    private func helpText(for words: [String]) throws(CommandError) -> String {
        switch try destination(of: words) {
        case .command(let command, _): command.usage
        case .help(let text), .incomplete(let text): text
        case .version: usage
        }
    }

    /// A flag where a command's word is expected.
    private func misplaced(
        _ flag: String, before rest: [String], in group: CommandGroup? = nil
    ) -> CommandError {
        let words = (group.map { "\($0.word) " } ?? "") + "COMMAND"
        let known = group == nil ? ["--version", "--help"] : ["--help"]
        let meant =
            group == nil && ["-v", "-V"].contains(flag)
            ? "--version" : NearestName.nearest(to: flag, among: known)
        let commands = group.map { $0.commands.compactMap(\.words.last) } ?? firstWords
        guard meant != nil || rest.contains(where: commands.contains) else {
            let hint = group.map { "authserver \($0.word) has: " + commands.joined(separator: ", ") }
            let spelling = flag.prefix { $0 != "=" }
            let isKnown = allCommands.contains { command in
                command.flags.contains { $0.spelling == spelling }
            }
            return .usage(
                isKnown
                    ? "a command is missing" + (group.map { " after \($0.word)" } ?? "")
                    : "unknown flag \(Printable.text(flag))",
                hint: hint ?? "authserver --help lists the commands")
        }
        return .usage(
            "the flag \(Printable.text(flag)) stands before the command",
            hint: meant.map { "did you mean \($0)?" }
                ?? "write the command first: authserver \(words) [FLAGS]")
    }

    /// The words that a command line may begin with.
    private var firstWords: [String] { commands.map(\.name) + groups.map(\.word) + ["help"] }

    private func unknown(_ word: String) -> CommandError {
        let names = firstWords
        if let command = OtherWords.meant(by: word, among: commands.map(\.name)) {
            return .usage("unknown command \(Printable.quoted(word))", hint: "did you mean \(command)?")
        }
        let inGroups = groups.flatMap(\.commands)
        let last =
            OtherWords.meant(by: word, among: inGroups.compactMap(\.words.last)) ?? word
        let subcommands = inGroups.filter { $0.words.last == last }
        let hint =
            subcommands.isEmpty
            ? NearestName.hint(for: word, among: names, otherwise: "authserver --help lists the commands")
            : "did you mean " + subcommands.map(\.name).joined(separator: " or ") + "?"
        return .usage("unknown command \(Printable.quoted(word))", hint: hint)
    }

    private func unknown(_ word: String, in group: CommandGroup) -> CommandError {
        let names = group.commands.compactMap(\.words.last)
        let likely =
            OtherWords.meant(by: word, among: names) ?? NearestName.nearest(to: word, among: names)
        return .usage(
            "unknown command \(Printable.quoted(word)) of \(group.word)",
            hint: likely.map { "did you mean \(group.word) \($0)?" }
                ?? "authserver \(group.word) has: " + names.joined(separator: ", "))
    }
}
