/// What other programs call the commands here. Spelling alone would take some for the opposite: `ungrant` is nearest to
/// `grant`.
enum OtherWords {
    /// The command of these that a word may be meant for, or nil where it is no word of another program.
    static func meant(by word: String, among commands: some Sequence<String>) -> String? {
        let word = word.lowercased()
        let entry = table.first { $0.words.contains(word) }
        return entry?.commands.first { command in commands.contains(command) }
    }

    /// Each group of commands has the first of these, the next, or none; a group may lack what another has.
    static let table: [(words: [String], commands: [String])] = [
        (["add", "create", "new", "register", "generate"], ["add", "rotate", "issue"]),
        (["remove", "delete", "del", "rm", "destroy", "drop"], ["remove", "retire", "revoke"]),
        (["ls"], ["list"]),
        (["show", "get", "info", "describe", "view", "cat"], ["show", "inspect", "list"]),
        (["update", "edit", "modify", "change", "configure"], ["set"]),
        (["ungrant", "deny", "remove-grant", "delete-grant"], ["revoke-grant"]),
        (["allow", "permit", "add-grant"], ["grant"]),
        (
            ["new-secret", "add-secret", "set-secret", "reset-secret", "change-secret", "regenerate-secret"],
            ["rotate-secret"]
        ),
        (["delete-secret", "revoke-secret", "rm-secret", "retire-secret"], ["remove-secret"]),
        (["activate", "unblock", "unlock", "resume", "undisable"], ["enable"]),
        (["deactivate", "suspend", "block", "lock"], ["disable"]),
        (["renew", "roll"], ["rotate", "rotate-secret"]),
        (["introspect", "check", "verify", "validate", "decode"], ["inspect"]),
        (["end", "expire", "invalidate", "kill"], ["revoke", "retire"]),
        (["start", "run"], ["serve"]),
        (["init", "setup", "upgrade"], ["migrate"]),
    ]
}
