internal import AuthStore
internal import JOSE
internal import OAuth

/// `authserver client enable` and `disable`.
enum ClientState {
    static let enable = Command(
        "client enable", usage: enableUsage, settings: [.database], positionals: [Positional("CLIENT")]
    ) { context throws(CommandError) in
        try await set(disabled: false, context)
    }

    static let disable = Command(
        "client disable", usage: disableUsage, settings: [.database, .redis, .redisPrefix],
        positionals: [Positional("CLIENT")]
    ) { context throws(CommandError) in
        try await set(disabled: true, context)
    }

    private static func set(disabled: Bool, _ context: CommandContext) async throws(CommandError) -> ExitCode
    {
        let client = try context.clientID(0)
        let registry = try context.registry(.change)
        let changed = try storing(about: client, in: registry) { () throws(StoreError) in
            try registry.setDisabled(disabled, client: client, at: context.nowMilliseconds)
        }
        let word = disabled ? "disabled" : "enabled"
        let done =
            changed
            ? "client \(client) is \(word)" + (disabled ? "; its tokens are inactive from now on" : "")
            : "client \(client) was \(word) already"
        var members: [(String, JSONValue)] = [
            ("client_id", .string(client.value)), ("disabled", .bool(disabled)), ("changed", .bool(changed)),
        ]
        if disabled {
            let isTold = try await context.endTokens(
                of: client, in: registry, isChanged: changed, after: done)
            members.append(("token_store_told", .bool(isTold)))
        } else {
            context.note(done)
        }
        try context.emit(.members(members), text: "")
        return .ok
    }

    private static let enableUsage = """
        Usage: authserver client enable CLIENT [FLAGS]

        Lets a disabled client get tokens again. Those it had when it was disabled stay inactive.

        Flags:
          --database FILE   the database (AUTHSERVER_DATABASE, or authserver.db)

        Examples:
          authserver client enable gateway

        """

    private static let disableUsage = """
        Usage: authserver client disable CLIENT [FLAGS]

        Refuses a client new tokens, and ends those it has: introspection and guards that check the store refuse
        them from the next request on; guards that do not check it, when they expire. Grants and secrets are kept.
        Where the token store is another, or does not answer, a running server tells it.

        Flags:
          --database FILE       the database (AUTHSERVER_DATABASE, or authserver.db)
          --redis URL           the token store, which is told (AUTHSERVER_REDIS, or SQLite beside the database)
          --redis-prefix TEXT   what its keys begin with (auth:)

        Examples:
          authserver client disable gateway

        """
}

/// `authserver client remove`.
enum ClientRemove {
    static let command = Command(
        "client remove", usage: usage, flags: [.yes], settings: [.database, .redis, .redisPrefix],
        positionals: [Positional("CLIENT")]
    ) { context throws(CommandError) in
        let client = try context.clientID(0)
        let registry = try context.registry(.change)
        try storing(about: client, in: registry) { () throws(StoreError) in try registry.client(client) }
        try context.confirm("removing client \(Printable.text(client.value)) with its secrets and grants")
        let orphans = try storing { () throws(StoreError) in
            try registry.removeClient(client, at: context.nowMilliseconds)
        }
        let isTold = try await context.endTokens(
            of: client, in: registry,
            after: "client \(client) is removed; its tokens are inactive from now on")
        for resource in orphans {
            context.note(
                "\(resource) has no owner now: "
                    + ShellWord.command("resource set", resource.value, flags: "--owner CLIENT"))
        }
        try context.emit(
            .members([
                ("client_id", .string(client.value)), ("removed", .bool(true)),
                ("resources_without_owner", .array(orphans.map { .string($0.value) })),
                ("token_store_told", .bool(isTold)),
            ]), text: "")
        return .ok
    }

    private static let usage = """
        Usage: authserver client remove CLIENT [FLAGS]

        Removes a client with its secrets and grants, and ends the tokens it has: introspection and guards that check
        the store refuse them from the next request on; guards that do not check it, when they expire. Resources
        that it owns stay, without an owner. To keep its grants for later, disable it instead. Where the token store
        is another, or does not answer, a running server tells it.

        Flags:
          --yes                 do not ask
          --database FILE       the database (AUTHSERVER_DATABASE, or authserver.db)
          --redis URL           the token store, which is told (AUTHSERVER_REDIS, or SQLite beside the database)
          --redis-prefix TEXT   what its keys begin with (auth:)

        Examples:
          authserver client remove gateway
          authserver client remove gateway --yes

        """
}
