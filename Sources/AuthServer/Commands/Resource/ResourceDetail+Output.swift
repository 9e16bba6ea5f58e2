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
    /// Checks that a resource is there.
    /// - Throws: an error that suggests the nearest one.
    func requireResource(_ id: ResourceID, in registry: Registry) throws(CommandError) {
        try storing(about: id, in: registry) { () throws(StoreError) in _ = try registry.resource(id) }
    }

    /// Shows a resource as it is in the registry.
    func show(_ id: ResourceID, in registry: Registry) throws(CommandError) {
        let resource = try storing(about: id, in: registry) { () throws(StoreError) in
            try registry.resource(id)
        }
        try emit(resource.document, table: resource.table, whenEmpty: "")
    }
}
