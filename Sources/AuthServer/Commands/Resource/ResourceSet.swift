internal import AuthStore
internal import OAuth

/// `authserver resource set`.
enum ResourceSet {
    static let addScopes = Flag("add-scopes", .value)
    static let removeScopes = Flag("remove-scopes", .value)
    static let noOwner = Flag("no-owner", .toggle)

    static let command = Command(
        "resource set", usage: usage,
        flags: [addScopes, removeScopes, ResourceRemove.withGrants, ResourceAdd.owner, noOwner, .yes],
        settings: [.database], positionals: [Positional("RESOURCE")]
    ) { context throws(CommandError) in
        let id = try context.resourceID(0)
        let change = try Change(context)
        let registry = try context.registry(.change)
        do throws(CommandError) {
            if let removed = change.removed {
                try context.requireResource(id, having: removed, in: registry, isToBeAdded: false)
                // What is refused in any case is not asked about.
                try storing(about: id, in: registry) { () throws(StoreError) in
                    try registry.rehearse { () throws(StoreError) in
                        try change.apply(to: id, in: registry, at: context.nowMilliseconds)
                    }
                }
                try context.confirm("removing \(removed) from resource \(id)")
            }
            try storing(about: id, in: registry) { () throws(StoreError) in
                try registry.transaction { () throws(StoreError) in
                    try change.apply(to: id, in: registry, at: context.nowMilliseconds)
                }
            }
        } catch  where error.code == .invalid && error.message.contains("is granted to") {
            throw CommandError(error.code, error.message, hint: ResourceRemove.withGrantsHint)
        }
        if let removed = change.removed {
            context.note("tokens keep \(removed) at \(id) until they end")
        }
        try context.noteBlanks(in: addScopes)
        try context.show(id, in: registry)
        return .ok
    }

    /// What is to be changed.
    private struct Change {
        let owner: ClientID?
        let removesOwner: Bool
        let added: Scopes?
        let removed: Scopes?
        let withGrants: Bool

        init(_ context: CommandContext) throws(CommandError) {
            let arguments = context.arguments
            owner = try context.owner(ResourceAdd.owner)
            removesOwner = arguments.has(noOwner)
            added = try arguments.value(addScopes).map { text throws(CommandError) in
                try namedScopes(text, of: addScopes)
            }
            removed = try arguments.value(removeScopes).map { text throws(CommandError) in
                try namedScopes(text, of: removeScopes)
            }
            withGrants = arguments.has(ResourceRemove.withGrants)
            guard owner == nil || !removesOwner else {
                throw .usage("--owner and --no-owner exclude each other")
            }
            let both = (added ?? Scopes()).intersection(removed ?? Scopes())
            guard both.isEmpty else {
                throw .usage("\(both) is both to be added and to be removed", hint: "name it once")
            }
            guard owner != nil || removesOwner || added != nil || removed != nil else {
                throw .usage(
                    "nothing to set",
                    hint: "give --owner CLIENT, --no-owner, --add-scopes SCOPES or --remove-scopes SCOPES")
            }
        }

        func apply(
            to id: ResourceID, in registry: Registry, at now: Milliseconds
        ) throws(StoreError) {
            if let added { try registry.addScopes(added, to: id, at: now) }
            if let removed {
                try registry.removeScopes(removed, from: id, withGrants: withGrants, at: now)
            }
            if owner != nil || removesOwner { try registry.setOwner(owner, of: id, at: now) }
        }
    }

    private static let usage = """
        Usage: authserver resource set RESOURCE [FLAGS]

        Changes a resource: adds or removes scopes that can be granted there, or sets its owner. A scope that
        clients hold stays, unless these grants are to go as well; tokens keep what they say until they end.

        Flags:
          --add-scopes SCOPES      more scopes, separated by commas or blanks
          --remove-scopes SCOPES   scopes that are not to be granted any more; one is left at least
          --with-grants            remove the grants of these scopes as well
          --yes                    do not ask before scopes are removed
          --owner CLIENT           the client that may introspect tokens meant for it
          --no-owner               no client may
          --database FILE          the database (AUTHSERVER_DATABASE, or authserver.db)

        Examples:
          authserver resource set RESOURCE_ID_BOOK --owner book
          authserver resource set RESOURCE_ID_BOOK --add-scopes admin
          authserver resource set RESOURCE_ID_BOOK --remove-scopes admin --with-grants --yes

        """
}
