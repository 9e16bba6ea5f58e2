internal import AuthStore
internal import OAuth

/// `authserver client grant`.
enum ClientGrant {
    static let command = Command(
        "client grant", usage: usage, settings: [.database],
        positionals: [
            Positional("CLIENT"), Positional("RESOURCE=SCOPES"), Positional("RESOURCE=SCOPES", .any),
        ]
    ) { context throws(CommandError) in
        let client = try context.clientID(0)
        let grants = try GrantArgument.list(Array(context.arguments.positionals.dropFirst()))
        return try context.changeGrants(of: client, at: grants) { registry throws(StoreError) in
            for grant in grants {
                try registry.grant(grant.scopes, at: grant.resource, to: client, at: context.nowMilliseconds)
            }
        }
    }

    private static let usage = """
        Usage: authserver client grant CLIENT RESOURCE=SCOPES... [FLAGS]

        Grants a client scopes at resources, besides what it holds. A running server knows at the next request.

        Flags:
          --database FILE   the database (AUTHSERVER_DATABASE, or authserver.db)

        Examples:
          authserver client grant gateway RESOURCE_ID_BOOK=read
          authserver client grant gateway RESOURCE_ID_BOOK=read RESOURCE_ID_REVIEW=read,write

        """
}

/// `authserver client revoke-grant`.
enum ClientRevokeGrant {
    static let command = Command(
        "client revoke-grant", usage: usage, settings: [.database],
        positionals: [
            Positional("CLIENT"), Positional("RESOURCE[=SCOPES]"), Positional("RESOURCE[=SCOPES]", .any),
        ], body: run)

    private static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let client = try context.clientID(0)
        var grants: [GrantArgument] = []
        for text in context.arguments.positionals.dropFirst() { grants.append(try GrantArgument(text)) }
        let places = grants.map { (resource: $0.resource, scopes: $0.scopes ?? Scopes()) }
        var (isChanged, absent) = (false, [String]())
        let code = try context.changeGrants(of: client, at: places, isRevocation: true) {
            registry throws(StoreError) in
            for grant in grants {
                let held = try registry.client(client).grants[grant.resource] ?? Scopes()
                let revoked = grant.scopes?.intersection(held) ?? held
                if !revoked.isEmpty {
                    try registry.revokeGrant(
                        revoked, at: grant.resource, from: client, at: context.nowMilliseconds)
                    isChanged = true
                }
                if let note = Self.absence(of: grant, held: held) { absent.append(note) }
            }
        }
        for note in absent { context.note("client \(client) \(note)") }
        if isChanged {
            context.note(
                "tokens that \(client) has keep what they say: "
                    + "authserver token revoke \(ShellWord.flag(TokenRevoke.client, client.value)) ends them"
            )
        }
        return code
    }

    /// What of a grant is as it should be already; nil where all of it was there.
    private static func absence(of grant: GrantArgument, held: Scopes) -> String? {
        guard !held.isEmpty else { return "holds nothing at \(grant.resource)" }
        let absent = grant.scopes?.subtracting(held) ?? Scopes()
        return absent.isEmpty ? nil : "does not hold \(absent) at \(grant.resource)"
    }

    private static let usage = """
        Usage: authserver client revoke-grant CLIENT RESOURCE[=SCOPES]... [FLAGS]

        Takes scopes at a resource back from a client, or all of them where none is named; what it does not hold is
        said, and no error. Tokens that it has keep what they say until they end: `authserver token revoke --client
        CLIENT` ends them at once.

        Flags:
          --database FILE   the database (AUTHSERVER_DATABASE, or authserver.db)

        Examples:
          authserver client revoke-grant gateway RESOURCE_ID_REVIEW=write
          authserver client revoke-grant gateway RESOURCE_ID_REVIEW

        """
}

extension CommandContext {
    /// Makes changes in one transaction and shows what the client holds then.
    /// - Parameter places: the resources that must be there, and the scopes that they must have.
    fileprivate func changeGrants(
        of client: ClientID, at places: [(resource: ResourceID, scopes: Scopes)], isRevocation: Bool = false,
        _ change: (Registry) throws(StoreError) -> Void
    ) throws(CommandError) -> ExitCode {
        let registry = try registry(.change)
        for place in places {
            try requireResource(
                place.resource, having: place.scopes, in: registry, isToBeAdded: !isRevocation)
        }
        let detail: ClientDetail
        do throws(CommandError) {
            detail = try storing(about: client, in: registry) { () throws(StoreError) in
                try registry.transaction { () throws(StoreError) in
                    try change(registry)
                    return try registry.client(client)
                }
            }
        } catch {
            throw error.hinting(
                ShellWord.command("client show", client.value) + " lists what it may do")
        }
        try emit(
            detail.document(at: nowMilliseconds),
            text: detail.grantTexts.map { Printable.text($0) + "\n" }.joined())
        return .ok
    }
}
