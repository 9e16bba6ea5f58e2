internal import AuthStore
internal import JOSE
internal import OAuth

/// `authserver client list`.
enum ClientList {
    static let command = Command("client list", usage: usage, settings: [.database]) {
        context throws(CommandError) in
        let registry = try context.registry(.read)
        let clients = try storing { () throws(StoreError) in try registry.listClients() }
        var table = TextTable("CLIENT", "NAME", "STATUS", "LIFETIME", "GRANTS")
        for client in clients {
            table.add(
                client.id.value, client.name, client.status, DurationText.text(seconds: client.tokenLifetime),
                client.grantTexts.joined(separator: " "))
        }
        try context.emit(
            .members([("clients", .array(clients.map { $0.document(at: context.nowMilliseconds) }))]),
            table: table, whenEmpty: "there is no client yet: authserver client add CLIENT")
        return .ok
    }

    private static let usage = """
        Usage: authserver client list [FLAGS]

        Lists the clients with what they may do: a table on a terminal, a line a client with tabs elsewhere.

        Flags:
          --database FILE   the database (AUTHSERVER_DATABASE, or authserver.db)

        Examples:
          authserver client list
          authserver client list --json | jq -r '.clients[].client_id'

        """
}

/// `authserver client show`.
enum ClientShow {
    static let command = Command(
        "client show", usage: usage, settings: [.database], positionals: [Positional("CLIENT")]
    ) { context throws(CommandError) in
        let id = try context.clientID(0)
        let registry = try context.registry(.read)
        let client = try storing(about: id, in: registry) { () throws(StoreError) in try registry.client(id) }
        try context.emit(
            client.document(at: context.nowMilliseconds), table: client.table(at: context.nowMilliseconds),
            whenEmpty: "")
        return .ok
    }

    private static let usage = """
        Usage: authserver client show CLIENT [FLAGS]

        Shows a client: its grants, the resources it owns, and when its secrets were made and end. A secret is
        never shown.

        Flags:
          --database FILE   the database (AUTHSERVER_DATABASE, or authserver.db)

        Examples:
          authserver client show gateway
          authserver client show gateway --json

        """
}
