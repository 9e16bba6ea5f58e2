internal import AuthStore
internal import OAuth

/// `authserver client set`.
enum ClientSet {
    static let flags = [ClientAdd.lifetime, ClientAdd.name, ClientAdd.authMethod]

    static let command = Command(
        "client set", usage: usage, flags: flags, settings: [.database], positionals: [Positional("CLIENT")],
        body: run)

    private static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let client = try context.clientID(0)
        guard flags.contains(where: context.arguments.has) else {
            throw .usage("nothing to set", hint: "give --lifetime, --name or --auth-method")
        }
        let lifetime = try context.arguments.value(ClientAdd.lifetime).map(ClientAdd.tokenLifetime)
        let name = try context.arguments.value(ClientAdd.name).map(ClientAdd.clientName)
        let method = try context.arguments.value(ClientAdd.authMethod).map(ClientAdd.authenticationMethod)
        let registry = try context.registry(.change)
        let now = context.nowMilliseconds
        let detail = try storing(about: client, in: registry) { () throws(StoreError) in
            try registry.transaction { () throws(StoreError) in
                if let lifetime { try registry.setTokenLifetime(lifetime, of: client, at: now) }
                if let name { try registry.setName(name, of: client, at: now) }
                if let method { try registry.setAuthenticationMethod(method, of: client, at: now) }
                return try registry.client(client)
            }
        }
        try context.emit(detail.document(at: now), table: detail.table(at: now), whenEmpty: "")
        return .ok
    }

    private static let usage = """
        Usage: authserver client set CLIENT [FLAGS]

        Changes what is given and nothing else. Tokens that the client has keep their lifetime. A running server
        knows at the next request.

        Flags:
          --lifetime TIME        how long its next tokens live: 30s, 15m, 24h or seconds (1s to 24h)
          --name TEXT            a name for people
          --auth-method METHOD   the only way to send the secret: client_secret_basic or client_secret_post; or any
          --database FILE        the database (AUTHSERVER_DATABASE, or authserver.db)

        Examples:
          authserver client set gateway --lifetime 15m
          authserver client set gateway --name 'The gateway' --auth-method any

        """
}
