/// A long flag of a command, such as `--lifetime 3600`.
struct Flag: Hashable, Sendable {
    /// What may follow it.
    enum Kind: Sendable {
        /// Nothing: it is there or not.
        case toggle
        /// One value; the flag is given once.
        case value
        /// One value each time that the flag is given.
        case repeatedValue
    }

    /// The name without the dashes.
    let name: String
    /// What may follow it.
    let kind: Kind
    /// Whether a secret is read from standard input for it, so that an argument too many may be one.
    let bringsSecret: Bool

    init(_ name: String, _ kind: Kind, bringsSecret: Bool = false) {
        self.name = name
        self.kind = kind
        self.bringsSecret = bringsSecret
    }

    /// The flag as it is written.
    var spelling: String { "--\(name)" }

    /// `--help`, which every command has.
    static let help = Flag("help", .toggle)
    /// `--json`: results and errors for programs.
    static let json = Flag("json", .toggle)
    /// `--yes`: do not ask.
    static let yes = Flag("yes", .toggle)
    /// `--config FILE`: where the configuration is read from.
    static let config = Flag("config", .value)
}

/// An argument that is no flag.
struct Positional: Sendable {
    /// How often it may be given.
    enum Count: Sendable { case one, optional, any }

    /// The name that usage texts and errors show, in capitals.
    let name: String
    /// How often it may be given.
    let count: Count

    init(_ name: String, _ count: Count = .one) {
        self.name = name
        self.count = count
    }
}
