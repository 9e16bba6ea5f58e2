/// One subcommand: its words, its hand-written usage text, what it takes, and what it does.
struct Command: Sendable {
    /// The words that name it, such as `client add`.
    let words: [String]
    /// What `--help` prints; it ends in examples.
    let usage: String
    /// Its flags, without `--help`, `--json` and `--config`, which every command has.
    let ownFlags: [Flag]
    /// The settings that it takes as flags; it reads them from the environment and the file as well.
    let settings: [Setting]
    /// Its positional arguments, in order.
    let positionals: [Positional]
    /// Flags that it does not have, as they are spelt, and what may be meant by them, for a hint.
    let meant: [String: String]
    /// The flag whose value an argument too many may be meant to be, for a hint.
    let surplus: Flag?
    /// What it does.
    let body: @Sendable (CommandContext) async throws(CommandError) -> ExitCode

    init(
        _ words: String, usage: String, flags: [Flag] = [], settings: [Setting] = [],
        positionals: [Positional] = [], meant: [String: String] = [:], surplus: Flag? = nil,
        body: @escaping @Sendable (CommandContext) async throws(CommandError) -> ExitCode
    ) {
        self.words = words.split(separator: " ").map(String.init)
        self.usage = usage
        ownFlags = flags
        self.settings = settings
        self.positionals = positionals
        self.meant = meant
        self.surplus = surplus
        self.body = body
    }

    /// All flags that it takes.
    var flags: [Flag] { ownFlags + settings.map(\.flag) + [.json, .config] }

    /// Its words, as they are typed.
    var name: String { words.joined(separator: " ") }
}

/// Subcommands of one subject, such as `client`.
struct CommandGroup: Sendable {
    /// The word that names the subject.
    let word: String
    /// What `--help` prints after the word alone.
    let usage: String
    /// The subcommands.
    let commands: [Command]
}
