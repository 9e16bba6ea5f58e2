internal import AuthStore
internal import JOSE
internal import OAuth

/// `authserver resource list`.
enum ResourceList {
    static let command = Command("resource list", usage: usage, settings: [.database]) {
        context throws(CommandError) in
        let registry = try context.registry(.read)
        let resources = try storing { () throws(StoreError) in try registry.listResources() }
        var table = TextTable("RESOURCE", "SCOPES", "OWNER", "CLIENTS")
        for resource in resources {
            let clients = resource.grants.keys.sorted().map(\.value).joined(separator: " ")
            table.add(resource.id.value, resource.scopes.description, resource.owner?.value ?? "", clients)
        }
        try context.emit(
            .members([("resources", .array(resources.map(\.document)))]), table: table,
            whenEmpty: "there is no resource yet: authserver resource add RESOURCE --scopes read")
        return .ok
    }

    private static let usage = """
        Usage: authserver resource list [FLAGS]

        Lists the resources with their scopes, their owners, and the clients that hold grants there.

        Flags:
          --database FILE   the database (AUTHSERVER_DATABASE, or authserver.db)

        Examples:
          authserver resource list

        """
}

/// `authserver resource show`.
enum ResourceShow {
    static let command = Command(
        "resource show", usage: usage, settings: [.database], positionals: [Positional("RESOURCE")]
    ) { context throws(CommandError) in
        let id = try context.resourceID(0)
        try context.show(id, in: try context.registry(.read))
        return .ok
    }

    private static let usage = """
        Usage: authserver resource show RESOURCE [FLAGS]

        Shows a resource: its scopes, its owner, and which client may do what there.

        Flags:
          --database FILE   the database (AUTHSERVER_DATABASE, or authserver.db)

        Examples:
          authserver resource show RESOURCE_ID_BOOK

        """
}

/// `authserver resource remove`.
enum ResourceRemove {
    static let withGrants = Flag("with-grants", .toggle)
    static let withGrantsHint = "add --with-grants to remove these grants as well, or revoke them first"

    static let command = Command(
        "resource remove", usage: usage, flags: [withGrants, .yes], settings: [.database],
        positionals: [Positional("RESOURCE")]
    ) { context throws(CommandError) in
        let id = try context.resourceID(0)
        let registry = try context.registry(.change)
        let isWithGrants = context.arguments.has(withGrants)
        let removal = { () throws(StoreError) in
            try registry.removeResource(id, withGrants: isWithGrants, at: context.nowMilliseconds)
        }
        do throws(CommandError) {
            // What is refused in any case is not asked about.
            try storing(about: id, in: registry) { () throws(StoreError) in try registry.rehearse(removal) }
            try context.confirm("removing resource \(id)")
            try storing(about: id, in: registry, removal)
        } catch  where error.code == .invalid {
            throw CommandError(.invalid, error.message, hint: withGrantsHint)
        }
        context.note("resource \(id) is removed")
        try context.emit(.members([("resource", .string(id.value)), ("removed", .bool(true))]), text: "")
        return .ok
    }

    private static let usage = """
        Usage: authserver resource remove RESOURCE [FLAGS]

        Removes a resource. One that clients hold grants at stays, unless the grants are to go as well. Tokens
        meant for it keep their audience until they end.

        Flags:
          --with-grants     remove the grants there as well
          --yes             do not ask
          --database FILE   the database (AUTHSERVER_DATABASE, or authserver.db)

        Examples:
          authserver resource remove RESOURCE_ID_BOOK
          authserver resource remove RESOURCE_ID_BOOK --with-grants --yes

        """
}
