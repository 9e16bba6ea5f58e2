/// `authserver token`: single tokens, and all those of a client.
enum TokenCommands {
    static let group = CommandGroup(
        word: "token", usage: usage,
        commands: [TokenIssue.command, TokenInspect.command, TokenRevoke.command])

    /// What the commands need to know of the stores.
    static let settings: [Setting] = [.database, .redis, .redisPrefix, .masterKeyFile]

    private static let usage = """
        Usage: authserver token COMMAND

        Tokens, seen from the administrator's side. The commands use the stores of the server: give them the same
        --database and --redis, or the same configuration file. They know its issuer once it was started.

        Commands:
          issue     issue a token for a client, without its secret
          inspect   say what a token holds, and whether it is active
          revoke    end a token, or all tokens of a client
        authserver token COMMAND --help shows more.

        Examples:
          authserver token inspect - <token.txt
          authserver token revoke --client gateway

        """
}
