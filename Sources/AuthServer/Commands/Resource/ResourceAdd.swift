internal import AuthStore
internal import OAuth

/// `authserver resource add`.
enum ResourceAdd {
    static let scopes = Flag("scopes", .value)
    static let owner = Flag("owner", .value)

    static let command = Command(
        "resource add", usage: usage, flags: [scopes, owner], settings: [.database],
        positionals: [Positional("RESOURCE")], surplus: scopes
    ) { context throws(CommandError) in
        let id = try context.resourceID(0)
        guard let text = context.arguments.value(scopes) else {
            throw .usage(
                "a resource needs scopes",
                hint: "name them: " + ShellWord.command("resource add", id.value, flags: "--scopes read"))
        }
        let scopes = try namedScopes(text, of: scopes)
        let owner = try context.owner(owner)
        let registry = try context.registry(.change)
        do throws(CommandError) {
            try storing { () throws(StoreError) in
                try registry.addResource(id, scopes: scopes, owner: owner, at: context.nowMilliseconds)
            }
        } catch  where error.code == .alreadyExists {
            let present = try storing { () throws(StoreError) in try registry.resource(id) }
            // A script that adds it may run again, also where its owner was set afterwards.
            guard present.scopes == scopes, owner == nil || owner == present.owner else {
                throw differs(present, scopes: scopes, owner: owner)
            }
            context.note("there is a resource \(id) with these scopes already")
        }
        try context.noteBlanks(in: Self.scopes)
        try context.show(id, in: registry)
        return .ok
    }

    /// What to say where there is another of that name: how it becomes the one that was to be added.
    private static func differs(_ present: ResourceDetail, scopes: Scopes, owner: ClientID?) -> CommandError {
        let missing = scopes.subtracting(present.scopes).map(\.value).joined(separator: ",")
        let flags =
            (missing.isEmpty ? [] : [ShellWord.flag(ResourceSet.addScopes, missing)])
            + (owner == present.owner ? [] : owner.map { [ShellWord.flag(Self.owner, $0.value)] } ?? [])
        guard !flags.isEmpty else {
            let others = present.scopes.subtracting(scopes).map(\.value).joined(separator: ",")
            return CommandError(
                .alreadyExists,
                "there is a resource \(present.id) already, with more scopes: \(present.scopes)",
                hint: "to take the others away: "
                    + ShellWord.command(
                        "resource set", present.id.value,
                        flags: ShellWord.flag(ResourceSet.removeScopes, others)))
        }
        return CommandError(
            .alreadyExists, "there is a resource \(present.id) already",
            hint: "add to it what it lacks: "
                + ShellWord.command("resource set", present.id.value, flags: flags.joined(separator: " ")))
    }

    private static let usage = """
        Usage: authserver resource add RESOURCE --scopes SCOPES [FLAGS]

        Adds a resource: an identifier such as RESOURCE_ID_BOOK or an absolute URI, which is the `aud` of tokens
        meant for it. Where there is one with these scopes already, that is said, and no error. A resource and the
        client that owns it refer to each other: add the resource, then the client, then set the owner.

        Flags:
          --scopes SCOPES   what can be granted there, separated by commas or blanks
          --owner CLIENT    the client that may introspect tokens meant for it
          --database FILE   the database (AUTHSERVER_DATABASE, or authserver.db)

        Examples:
          authserver resource add RESOURCE_ID_BOOK --scopes read,write
          authserver resource add https://api.example.com --scopes read --owner api

        """
}

/// Reads the value of a flag that is a list of scopes: one at least.
func namedScopes(_ text: String, of flag: Flag) throws(CommandError) -> Scopes {
    let scopes = try GrantArgument.scopes(text)
    guard !scopes.isEmpty else {
        throw .usage(
            "\(flag.spelling) names no scope",
            hint: "write \(flag.spelling) read,write: what can be granted there")
    }
    return scopes
}

extension CommandContext {
    /// Says which scopes a flag's value names where blanks alone divide some of them: one may have been meant.
    func noteBlanks(in flag: Flag) throws(CommandError) {
        guard let text = arguments.value(flag),
            text.split(separator: ",").contains(where: { $0.split(separator: " ").count > 1 })
        else { return }
        let names = try namedScopes(text, of: flag).map(\.value)
        guard let last = names.last, names.count > 1 else { return }
        note(
            "\(Printable.quoted(text)) names \(names.count) scopes, "
                + "\(names.dropLast().joined(separator: ", ")) and \(last): a blank divides them as a comma does"
        )
    }

    func owner(_ flag: Flag) throws(CommandError) -> ClientID? {
        guard let text = arguments.value(flag) else { return nil }
        return try reading(text, as: "client id") { text throws(VocabularyError) in try ClientID(text) }
    }
}
