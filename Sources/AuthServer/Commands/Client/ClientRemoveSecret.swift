internal import AuthStore
internal import JOSE
internal import OAuth

/// `authserver client remove-secret`.
enum ClientRemoveSecret {
    static let command = Command(
        "client remove-secret", usage: usage, flags: [.yes], settings: [.database],
        positionals: [Positional("CLIENT"), Positional("SECRET_ID")]
    ) { context throws(CommandError) in
        let client = try context.clientID(0)
        let secretID = context.arguments.positional(1) ?? ""
        let registry = try context.registry(.change)
        let detail = try storing(about: client, in: registry) { () throws(StoreError) in
            try registry.client(client)
        }
        try require(secretID, of: detail)
        let now = context.nowMilliseconds
        let others = detail.secrets.filter { $0.id != secretID && $0.isValid(at: now) }
        try context.confirm(
            "removing secret \(secretID) of client \(client)"
                + (others.isEmpty ? ", after which it has none and gets no token," : ""))
        try storing { () throws(StoreError) in
            try registry.removeSecret(secretID, of: client, at: context.nowMilliseconds)
        }
        note(secretID, of: client, others: others.count, context)
        try context.emit(
            .members([
                ("client_id", .string(client.value)), ("secret_id", .string(secretID)),
                ("removed", .bool(true)), ("valid_secrets", .integer(Int64(others.count))),
            ]), text: "")
        return .ok
    }

    private static func require(_ secretID: String, of client: ClientDetail) throws(CommandError) {
        let known = client.secrets.map(\.id)
        guard !known.contains(secretID) else { return }
        throw CommandError(
            .notFound, "client \(client.id) has no secret \(Printable.quoted(secretID))",
            hint: NearestName.hint(
                for: secretID, among: known,
                otherwise: ShellWord.command("client show", client.id.value) + " lists the ids of its secrets"
            ))
    }

    private static func note(
        _ secretID: String, of client: ClientID, others: Int, _ context: CommandContext
    ) {
        context.note(
            "secret \(secretID) of \(client) is removed; good ones that are left: \(others)"
                + (others > 0
                    ? "" : ": " + ShellWord.command("client rotate-secret", client.value) + " makes one"))
        context.note(
            "tokens that \(client) got with it stay good: "
                + "authserver token revoke \(ShellWord.flag(TokenRevoke.client, client.value)) ends them")
    }

    private static let usage = """
        Usage: authserver client remove-secret CLIENT SECRET_ID [FLAGS]

        Removes one secret of a client at once, when it may be known to others; the client's other secrets and its
        tokens stay good. `authserver client show CLIENT` lists the ids. To give it another, rotate the secret.

        Flags:
          --yes             do not ask
          --database FILE   the database (AUTHSERVER_DATABASE, or authserver.db)

        Examples:
          authserver client remove-secret gateway 39de07d5b761
          authserver client remove-secret gateway 39de07d5b761 --yes

        """
}
