internal import AuthStore
internal import JOSE
internal import OAuth

/// `authserver client add`.
enum ClientAdd {
    static let grant = Flag("grant", .repeatedValue)
    static let lifetime = Flag("lifetime", .value)
    static let name = Flag("name", .value)
    static let authMethod = Flag("auth-method", .value)

    static let command = Command(
        "client add", usage: usage, flags: [grant, lifetime, name, authMethod] + NewSecret.flags,
        settings: [.database], positionals: [Positional("CLIENT")], body: run)

    private static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let draft = try draft(context)
        let grants = try GrantArgument.list(context.arguments.values(grant))
        let registry = try context.registry(.change)
        for grant in grants {
            try context.requireResource(grant.resource, having: grant.scopes, in: registry)
        }
        // Nobody is asked for a secret before it is known that there is a place for it.
        let secret = try NewSecret.make(context)
        try add(draft, grants: grants, verifier: secret.verifier(), to: registry, at: context.nowMilliseconds)
        do throws(CommandError) {
            try show(secret.revealed(), of: draft, grants: grants, context)
        } catch {
            // Nobody saw the secret: the client is of no use.
            try storing { () throws(StoreError) in
                try registry.removeClient(draft.id, at: context.nowMilliseconds)
            }
            throw CommandError(
                .failed, "\(error.message): client \(draft.id) is not registered",
                hint: "run the command again")
        }
        return .ok
    }

    /// All of it or nothing.
    private static func add(
        _ draft: ClientDraft, grants: [(resource: ResourceID, scopes: Scopes)], verifier: SecretVerifier,
        to registry: Registry, at now: Milliseconds
    ) throws(CommandError) {
        try storing { () throws(StoreError) in
            try registry.transaction { () throws(StoreError) in
                try registry.addClient(draft, at: now)
                for grant in grants {
                    try registry.grant(grant.scopes, at: grant.resource, to: draft.id, at: now)
                }
                try registry.addSecret(verifier, to: draft.id, from: now, at: now)
            }
        }
    }

    private static func draft(_ context: CommandContext) throws(CommandError) -> ClientDraft {
        let id = try context.clientID(0)
        var draft = ClientDraft(id: id, name: try context.arguments.value(name).map(clientName))
        if let text = context.arguments.value(lifetime) { draft.tokenLifetime = try tokenLifetime(text) }
        if let text = context.arguments.value(authMethod) {
            draft.authenticationMethod = try authenticationMethod(text)
        }
        return draft
    }

    /// A name for people; the registry would refuse others too, but not as a wrong command line.
    static func clientName(_ text: String) throws(CommandError) -> String {
        let hasControls = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
        guard (1...255).contains(text.utf8.count), !hasControls else {
            throw .usage(
                "--name: \(Printable.quoted(text)) is not possible",
                hint: "a client's name has 1 to 255 bytes and no control characters")
        }
        return text
    }

    /// How long tokens live, in seconds.
    static func tokenLifetime(_ text: String) throws(CommandError) -> Int64 {
        let seconds = try seconds(text, of: lifetime)
        let range = ClientDraft.tokenLifetimes
        guard range.contains(seconds) else {
            let bounds = [range.lowerBound, range.upperBound].map(lifetimeText)
            throw .usage(
                "--lifetime: \(Printable.quoted(text)) is not possible",
                hint: "tokens live \(bounds[0]) at least and \(bounds[1]) at most")
        }
        return seconds
    }

    /// Up to a day in hours, as the help has it.
    private static func lifetimeText(_ seconds: Int64) -> String {
        seconds % 3600 == 0 ? "\(seconds / 3600)h" : "\(seconds)s"
    }

    /// A way to send the secret; nil for any.
    static func authenticationMethod(_ text: String) throws(CommandError) -> ClientAuthenticationMethod? {
        if text == "any" { return nil }
        guard let method = ClientAuthenticationMethod(rawValue: text) else {
            let known = ClientAuthenticationMethod.allCases.map(\.rawValue) + ["any"]
            throw .usage(
                "\(Printable.quoted(text)) is no authentication method",
                hint: "write --auth-method " + known.joined(separator: " or "))
        }
        return method
    }

    private static func show(
        _ secret: String?, of draft: ClientDraft, grants: [(resource: ResourceID, scopes: Scopes)],
        _ context: CommandContext
    ) throws(CommandError) {
        context.note(
            "client \(draft.id) is registered"
                + (secret == nil ? "" : "; this is its secret, which is shown this once:"))
        if secret == nil { context.noteBroughtSecret() }
        if grants.isEmpty {
            context.note(
                "it has no grant yet: " + ShellWord.command("client grant", draft.id.value, "RESOURCE=scope"))
        }
        var members: [(String, JSONValue)] = [
            ("client_id", .string(draft.id.value)), ("token_lifetime", .integer(draft.tokenLifetime)),
        ]
        if let secret { members.append(("client_secret", .string(secret))) }
        try context.emit(.members(members), text: secret.map { $0 + "\n" } ?? "")
    }

    private static let usage = """
        Usage: authserver client add CLIENT [FLAGS]

        Registers a client and prints its secret, which is stored hashed and never shown again. Either all of it
        is done or nothing.

        Flags:
          --grant RESOURCE=SCOPES   what it may do, scopes separated by commas; may be repeated
          --lifetime TIME           how long its tokens live: 30s, 15m, 24h or seconds (3600; 1s to 24h)
          --name TEXT               a name for people (the client id)
          --auth-method METHOD      the only way to send the secret: client_secret_basic or client_secret_post
                                    (any)
          --secret-stdin            take the secret from standard input, without its line end; it is not printed;
                                    one such secret makes every failed authentication of every client slow (40 ms)
          --allow-weak-secret       also take one of fewer than 16 characters
          --database FILE           the database (AUTHSERVER_DATABASE, or authserver.db)

        Examples:
          authserver client add gateway --grant RESOURCE_ID_BOOK=read --grant RESOURCE_ID_REVIEW=read,write \\
            --lifetime 3600
          secret=$(authserver client add app --grant RESOURCE_ID_GATEWAY=read --json | jq -r .client_secret)
          authserver client add book --secret-stdin <book.secret

        """
}

/// Reads the value of a flag that is a duration.
func seconds(_ text: String, of flag: Flag) throws(CommandError) -> Int64 {
    guard let seconds = DurationText.seconds(text) else {
        throw .usage(
            "\(flag.spelling): \(Printable.quoted(text)) is no duration", hint: DurationText.expectation)
    }
    return seconds
}
