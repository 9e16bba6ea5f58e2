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
            throw exists(present, scopes: scopes, owner: owner)
        }
        try context.show(id, in: registry)
        return .ok
    }

    /// What to say where there is such a resource: how it becomes the one that was to be added.
    private static func exists(_ present: ResourceDetail, scopes: Scopes, owner: ClientID?) -> CommandError {
        let missing = scopes.subtracting(present.scopes).map(\.value).joined(separator: ",")
        let flags =
            (missing.isEmpty ? [] : [ShellWord.flag(ResourceSet.addScopes, missing)])
            + (owner == present.owner ? [] : owner.map { [ShellWord.flag(Self.owner, $0.value)] } ?? [])
        guard !flags.isEmpty else {
            let isSame = present.scopes.subtracting(scopes).isEmpty
            return CommandError(
                .alreadyExists,
                "there is a resource \(present.id) "
                    + (isSame ? "with these scopes already" : "already, with more scopes: \(present.scopes)"),
                hint: "nothing is to be added: " + ShellWord.command("resource show", present.id.value))
        }
        return CommandError(
            .alreadyExists, "there is a resource \(present.id) already",
            hint: "add to it what it lacks: "
                + ShellWord.command("resource set", present.id.value, flags: flags.joined(separator: " ")))
    }

    private static let usage = """
        Usage: authserver resource add RESOURCE --scopes SCOPES [FLAGS]

        Adds a resource: an identifier such as RESOURCE_ID_BOOK or an absolute URI, which is the `aud` of tokens
        meant for it. A resource and the client that owns it refer to each other: add the resource, then the client,
        then set the owner.

        Flags:
          --scopes SCOPES   what can be granted there, separated by commas
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
    func owner(_ flag: Flag) throws(CommandError) -> ClientID? {
        guard let text = arguments.value(flag) else { return nil }
        return try reading(text, as: "client id") { text throws(VocabularyError) in try ClientID(text) }
    }
}
