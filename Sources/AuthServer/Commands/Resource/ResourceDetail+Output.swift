internal import AuthStore
internal import JOSE
internal import OAuth

extension ResourceDetail {
    /// All of it for a person.
    var table: TextTable {
        var table = TextTable("FIELD", "VALUE")
        table.add("resource", id.value)
        table.add("scopes", scopes.description)
        table.add("owner", owner?.value ?? "")
        table.add("created", TimeText.text(createdAt))
        for (client, scopes) in grants.sorted(by: { $0.key < $1.key }) {
            table.add("grant", "\(client): \(scopes)")
        }
        return table
    }

    /// All of it for a program.
    var document: JSONValue {
        .members([
            ("resource", .string(id.value)), ("scopes", .array(scopes.map { .string($0.value) })),
            ("owner", owner.map { .string($0.value) } ?? .null), ("created_at", .integer(createdAt / 1000)),
            ("grants", .grants(grants.map { ($0.key.value, $0.value) })),
        ])
    }
}

extension CommandContext {
    /// Checks that a resource is there and has scopes that are to be granted, or taken away.
    /// - Parameter isToBeAdded: whether a scope that it lacks may have to be added first.
    /// - Throws: an error that suggests the nearest resource, or scope.
    func requireResource(
        _ id: ResourceID, having scopes: Scopes = Scopes(), in registry: Registry, isToBeAdded: Bool = true
    ) throws(CommandError) {
        let resource = try storing(about: id, in: registry) { () throws(StoreError) in
            try registry.resource(id)
        }
        let unknown = scopes.subtracting(resource.scopes)
        guard let first = unknown.sorted.first else { return }
        let known = resource.scopes.map(\.value)
        let missing = ShellWord.flag(
            ResourceSet.addScopes, unknown.map(\.value).joined(separator: ","))
        throw CommandError(
            .notFound,
            "resource \(id) has no scope \(unknown); it has \(known.isEmpty ? "none" : "\(resource.scopes)")",
            hint: NearestName.hint(
                for: first.value, among: known,
                otherwise: isToBeAdded
                    ? "add it: " + ShellWord.command("resource set", id.value, flags: missing)
                    : ShellWord.command("resource show", id.value) + " lists them"))
    }

    /// Shows a resource as it is in the registry.
    func show(_ id: ResourceID, in registry: Registry) throws(CommandError) {
        let resource = try storing(about: id, in: registry) { () throws(StoreError) in
            try registry.resource(id)
        }
        try emit(resource.document, table: resource.table, whenEmpty: "")
    }
}
