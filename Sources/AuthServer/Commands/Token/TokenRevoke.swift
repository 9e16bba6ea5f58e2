internal import AccessToken
internal import AuthStore
internal import JOSE
internal import OAuth

/// `authserver token revoke`.
enum TokenRevoke {
    static let id = Flag("id", .value)
    static let client = Flag("client", .value)

    static let command = Command(
        "token revoke", usage: usage, flags: [id, client], settings: [.database, .redis, .redisPrefix],
        positionals: [Positional("TOKEN", .optional)], body: run)

    private static func run(_ context: CommandContext) async throws(CommandError) -> ExitCode {
        let arguments = context.arguments
        switch (arguments.positional(0), arguments.value(id), arguments.value(client)) {
        case (let token?, nil, nil): return try await revoke(try tokenID(of: token, context), context)
        case (nil, let text?, nil):
            let id = try reading(text, as: "token id") { text throws(VocabularyError) in try TokenID(text) }
            return try await revoke(id, context)
        case (nil, nil, let text?):
            let id = try reading(text, as: "client id") { text throws(VocabularyError) in try ClientID(text) }
            return try await revokeAll(of: id, context)
        default:
            throw notOne(of: arguments)
        }
    }

    /// What is wrong where nothing says which token is meant, or more than one thing does.
    private static func notOne(of arguments: Arguments) -> CommandError {
        let flags = [id, client].filter(arguments.has).map(\.spelling)
        let given = (arguments.positional(0) == nil ? [] : ["TOKEN"]) + flags
        guard !given.isEmpty else {
            return .usage(
                "one of TOKEN, --id and --client is needed",
                hint: "write - to read the token from standard input")
        }
        return .usage(
            "only one of TOKEN, --id and --client may be given, and here are "
                + given.joined(separator: " and "),
            hint: "run the command once for each")
    }

    /// The id that a token has. Its signature does not matter: whoever runs this may end any token.
    private static func tokenID(of argument: String, _ context: CommandContext) throws(CommandError)
        -> TokenID
    {
        let text = try TokenArgument.read(argument, context.console)
        do throws(TokenInspection.Reason) {
            return try TokenInspection.read(text).claims.tokenID
        } catch {
            throw .usage(
                error.text,
                hint: "give a whole token, or its jti with --id, or --client for all of them")
        }
    }

    private static func revoke(_ id: TokenID, _ context: CommandContext) async throws(CommandError)
        -> ExitCode
    {
        let registry = try context.registry(.read)
        try context.requireServersTokenStore(registry)
        guard try await isStored(id, context) else {
            throw CommandError(
                .notFound, "the token store does not know token \(id)",
                hint: "it has ended, was revoked already, or is another server's: nothing was changed")
        }
        try await context.withTokenStore { store throws(TokenStoreError) in try await store.revoke(id) }
        context.noteEnd("token \(id) is not active any more")
        note(id, context)
        try context.emit(.members([("jti", .string(id.value)), ("revoked", true)]), text: "")
        return .ok
    }

    /// The token has ended, whether that can be recorded or not.
    private static func note(_ id: TokenID, _ context: CommandContext) {
        do throws(CommandError) {
            let registry = try context.registry(.change)
            try storing { () throws(StoreError) in
                try registry.recordRevocation(of: id, at: context.nowMilliseconds)
            }
        } catch {
            context.warn("the history does not tell of it: \(error.message)")
        }
    }

    /// Whether there is such a token, be it of a client whose tokens were all revoked. The token's id is nobody's
    /// client id, so that no revocation counts. An embedded store that was never made is not made for this.
    private static func isStored(_ id: TokenID, _ context: CommandContext) async throws(CommandError) -> Bool
    {
        let configuration = try StoreConfiguration(context.settings)
        guard configuration.hasTokenStore else { return false }
        let nobody = try reading(id.value, as: "client id") { text throws(VocabularyError) in
            try ClientID(text)
        }
        return try await context.withTokenStore { store throws(TokenStoreError) in
            try await store.status(of: id, client: nobody)
        } == .active
    }

    /// The registry first, which the servers read; then the store, which guards ask.
    private static func revokeAll(
        of client: ClientID, _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        let registry = try context.registry(.change)
        let isDisabled = try storing(about: client, in: registry) { () throws(StoreError) in
            let isDisabled = try registry.client(client).disabledAt != nil
            try registry.recordRevocation(of: client, at: context.nowMilliseconds)
            return isDisabled
        }
        // Again, with the time after that commit: it may have waited for another command's lock.
        let revocation = try storing { () throws(StoreError) in
            try registry.completeRevocation(of: client, at: context.nowMilliseconds)
        }
        let future =
            isDisabled
            ? "it is disabled and gets none until " + ShellWord.command("client enable", client.value)
            : "it can get new ones"
        let isTold = try await context.tellTokenStore(
            revocation, registry, after: "the tokens that \(client) has are not active any more; \(future)")
        try context.emit(
            .members([
                ("client_id", .string(client.value)), ("revoked", true),
                ("tokens_revoked_at", .seconds(revocation.revokedAt)), ("token_store_told", .bool(isTold)),
            ]), text: "")
        return .ok
    }

    private static let usage = """
        Usage: authserver token revoke (TOKEN | - | --id JTI | --client CLIENT) [FLAGS]

        Ends a token, or all tokens that a client has. Introspection and guards that check the store refuse them
        from the next request on; guards that do not check it, when they expire. With - the token is read from
        standard input. A token that the store does not know is refused, as is a store that is not the server's.
        To keep a client from getting new tokens, disable it.

        Flags:
          --id JTI             the token with this jti
          --client CLIENT      all tokens that the client has; they are one record, however many there are
          --database FILE      the database (AUTHSERVER_DATABASE, or authserver.db)
          --redis URL          the token store (AUTHSERVER_REDIS, or SQLite beside the database)
          --redis-prefix TEXT  what its keys begin with (auth:)

        Examples:
          authserver token revoke - <token.txt
          authserver token revoke --client gateway

        """
}
