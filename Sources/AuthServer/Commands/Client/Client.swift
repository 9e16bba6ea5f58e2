/// `authserver client`: who may get tokens, and for what.
enum ClientCommands {
    static let group = CommandGroup(
        word: "client", usage: usage,
        commands: [
            ClientAdd.command, ClientList.command, ClientShow.command, ClientSet.command, ClientGrant.command,
            ClientRevokeGrant.command, ClientRotateSecret.command, ClientRemoveSecret.command,
            ClientState.enable, ClientState.disable,
            ClientRemove.command,
        ])

    private static let usage = """
        Usage: authserver client COMMAND

        Clients, their secrets and what they may do. A running server knows a change at its next request.

        Commands:
          add             register a client and print its secret
          list            list the clients
          show            show a client
          set             change its lifetime, name or authentication method
          grant           grant scopes at a resource
          revoke-grant    take scopes at a resource back
          rotate-secret   give it a new secret, with an overlap
          remove-secret   remove one of its secrets at once
          enable          let it get tokens again
          disable         refuse it new tokens and end those it has
          remove          remove it with its secrets and grants
        authserver client COMMAND --help shows more.

        Examples:
          authserver client add gateway --grant RESOURCE_ID_BOOK=read --lifetime 3600
          authserver client rotate-secret gateway --overlap 24h

        """
}
