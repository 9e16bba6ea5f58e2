public import OAuth
internal import SQLite

extension Registry {
    /// Adds a resource.
    /// - Parameters:
    ///   - id: its identifier.
    ///   - scopes: what can be granted there; at least one.
    ///   - owner: the client that may introspect tokens meant for it.
    ///   - now: the moment of the change.
    /// - Throws: `alreadyExists`, `invalid` for no scope, `notFound` for an unknown owner.
    public func addResource(
        _ id: ResourceID, scopes: Scopes, owner: ClientID? = nil, at now: Milliseconds
    ) throws(StoreError) {
        guard !scopes.isEmpty else {
            throw StoreError(.invalid, "a resource has at least one scope, such as read")
        }
        try transaction { () throws(StoreError) in
            guard try numericID(of: id) == nil else {
                throw StoreError(.alreadyExists, "there is a resource \(id) already: choose another id")
            }
            try connection.change(
                "INSERT INTO resources (resource_id, owner, created_at) VALUES (?, ?, ?)",
                [.text(id.value), .optional(try row(of: owner)), .integer(now)])
            let row = connection.lastInsertedRow
            // As for a new client: what was deleted with foreign keys off may have left grants.
            try connection.change("DELETE FROM grants WHERE resource = ?", [.integer(row)])
            try connection.change("DELETE FROM resource_scopes WHERE resource = ?", [.integer(row)])
            try insertScopes(scopes, row: row)
            try record(.resourceAdd, resource: id, detail: .scopes(scopes.sorted), at: now)
            if let owner { try record(.ownerAdd, client: owner, resource: id, at: now) }
        }
    }

    /// Adds scopes to a resource, besides those it has.
    public func addScopes(
        _ scopes: Scopes, to resource: ResourceID, at now: Milliseconds = WallClock.now()
    ) throws(StoreError) {
        try transaction { () throws(StoreError) in
            let added = try insertScopes(scopes, row: try existing(resource))
            guard !added.isEmpty else { return }
            try record(.scopeAdd, resource: resource, detail: .scopes(added), at: now)
        }
    }

    /// Removes scopes from a resource, which keeps one at least. Tokens keep what they say until they end.
    /// - Parameters:
    ///   - scopes: what can be granted no more.
    ///   - resource: where.
    ///   - withGrants: also removes the grants of these scopes; otherwise scopes that clients hold stay.
    ///   - now: the moment of the change.
    /// - Throws: `notFound` for an unknown resource or a scope that it has not, or `invalid` when none would be left
    ///   or clients hold one.
    public func removeScopes(
        _ scopes: Scopes, from resource: ResourceID, withGrants: Bool = false,
        at now: Milliseconds = WallClock.now()
    ) throws(StoreError) {
        try transaction { () throws(StoreError) in
            let row = try existing(resource)
            let present = try self.scopes(ofRow: row)
            let unknown = scopes.subtracting(present)
            guard unknown.isEmpty else {
                throw StoreError(.notFound, "resource \(resource) has no scope \(unknown); it has \(present)")
            }
            guard !present.subtracting(scopes).isEmpty else {
                throw StoreError(
                    .invalid,
                    "resource \(resource) would have no scope left: add another first, or remove the resource"
                )
            }
            guard !scopes.isEmpty else { return }
            // All before anything is changed: a program may go on with its transaction after a refusal.
            for scope in scopes where !withGrants {
                try refuse(holders: try holders(ofRow: row, scope), of: "\(scope) at \(resource)")
            }
            for scope in scopes {
                try recordGrants(ofResource: row, scope, at: now)
                try connection.change(
                    "DELETE FROM resource_scopes WHERE resource = ? AND scope = ?",
                    [.integer(row), .text(scope.value)])
            }
            try record(.scopeRemove, resource: resource, detail: .scopes(scopes.sorted), at: now)
        }
    }

    /// Sets the client that may introspect tokens meant for a resource; nil for none.
    public func setOwner(
        _ owner: ClientID?, of resource: ResourceID, at now: Milliseconds = WallClock.now()
    ) throws(StoreError) {
        try transaction { () throws(StoreError) in
            let (newRow, row) = (try row(of: owner), try existing(resource))
            let oldRow = try connection.integer("SELECT owner FROM resources WHERE id = ?", [.integer(row)])
            guard oldRow != newRow else { return }
            let old = try ownerID(ofRow: row)
            try connection.change(
                "UPDATE resources SET owner = ? WHERE id = ?", [.optional(newRow), .integer(row)])
            if let old {
                try record(.ownerRemove, client: old, resource: resource, at: now)
            }
            if let owner { try record(.ownerAdd, client: owner, resource: resource, at: now) }
        }
    }

    /// Removes a resource with its scopes.
    /// - Parameters:
    ///   - id: its identifier.
    ///   - withGrants: also removes grants; otherwise a resource where clients hold grants stays.
    ///   - now: the moment of the change.
    /// - Throws: `notFound`, or `invalid` when clients hold grants.
    public func removeResource(
        _ id: ResourceID, withGrants: Bool = false, at now: Milliseconds = WallClock.now()
    ) throws(StoreError) {
        try transaction { () throws(StoreError) in
            let row = try existing(id)
            if !withGrants { try refuse(holders: try holders(ofRow: row), of: "resource \(id)") }
            try recordGrants(ofResource: row, at: now)
            if let owner = try ownerID(ofRow: row) {
                try record(.ownerRemove, client: owner, resource: id, at: now)
            }
            try connection.change("DELETE FROM resources WHERE id = ?", [.integer(row)])
            try record(.resourceRemove, resource: id, at: now)
        }
    }

    /// A resource with its scopes and grants.
    /// - Throws: `notFound`.
    public func resource(_ id: ResourceID) throws(StoreError) -> ResourceDetail {
        try reading { () throws(StoreError) in
            let row = try existing(id)
            guard let detail = try details(ofRow: row).first else {
                throw StoreError(.notFound, "there is no resource \(id)")
            }
            return detail
        }
    }

    /// All resources, by id.
    public func listResources() throws(StoreError) -> [ResourceDetail] {
        try reading { () throws(StoreError) in try details(ofRow: nil) }
    }

    // MARK: Help

    /// The clients that hold grants at a resource, or of one of its scopes.
    private func holders(ofRow row: Int64, _ scope: Scope? = nil) throws(StoreError) -> [String] {
        try connection.all(
            """
            SELECT DISTINCT c.client_id FROM grants g JOIN clients c ON c.id = g.client
            WHERE g.resource = ?1 AND (?2 IS NULL OR g.scope = ?2) ORDER BY c.client_id
            """, [.integer(row), scope.map { .text($0.value) } ?? .null]
        ) { $0.text(0) }
    }

    private func refuse(holders: [String], of what: String) throws(StoreError) {
        guard !holders.isEmpty else { return }
        let more = holders.count > 5 ? " and \(holders.count - 5) more" : ""
        throw StoreError(
            .invalid,
            "\(what) is granted to \(holders.prefix(5).joined(separator: ", "))\(more): revoke these grants first"
        )
    }

    /// The row of a resource; nil when there is none.
    func numericID(of resource: ResourceID) throws(StoreError) -> Int64? {
        try connection.integer("SELECT id FROM resources WHERE resource_id = ?", [.text(resource.value)])
    }

    /// The row of a resource that must be there.
    func existing(_ resource: ResourceID) throws(StoreError) -> Int64 {
        if let row = try numericID(of: resource) { return row }
        throw StoreError(
            .notFound,
            "there is no resource \(resource): `authserver resource list` shows all, `authserver resource add` adds one"
        )
    }

    /// The scopes that can be granted at a resource.
    func scopes(ofRow row: Int64) throws(StoreError) -> Scopes {
        Scopes(
            try connection.all(
                "SELECT scope FROM resource_scopes WHERE resource = ?", [.integer(row)]
            ) { row throws(StoreError) in try row.scope(0) })
    }

    private func row(of owner: ClientID?) throws(StoreError) -> Int64? {
        guard let owner else { return nil }
        return try existing(owner)
    }

    /// The client that owns a resource; nil for none, also where it was deleted with foreign keys off.
    private func ownerID(ofRow row: Int64) throws(StoreError) -> ClientID? {
        try connection.one(
            "SELECT c.client_id FROM resources o JOIN clients c ON c.id = o.owner WHERE o.id = ?",
            [.integer(row)]
        ) { row throws(StoreError) in try row.clientID(0) }
    }

    /// - Returns: those that were not there yet.
    @discardableResult
    private func insertScopes(_ scopes: Scopes, row: Int64) throws(StoreError) -> [Scope] {
        var added: [Scope] = []
        for scope in scopes {
            let count = try connection.change(
                "INSERT OR IGNORE INTO resource_scopes (resource, scope) VALUES (?, ?)",
                [.integer(row), .text(scope.value)])
            if count > 0 { added.append(scope) }
        }
        return added
    }

    private func details(ofRow row: Int64?) throws(StoreError) -> [ResourceDetail] {
        try connection.all(
            """
            SELECT o.id, o.resource_id, c.client_id, o.created_at
            FROM resources o LEFT JOIN clients c ON c.id = o.owner
            WHERE ?1 IS NULL OR o.id = ?1 ORDER BY o.resource_id
            """, [.optional(row)]
        ) { row throws(StoreError) in
            ResourceDetail(
                id: try row.resourceID(1), scopes: try scopes(ofRow: row.integer(0)),
                owner: row.isNull(2) ? nil : try row.clientID(2), createdAt: row.moment(3),
                grants: try grants(ofRow: row.integer(0)))
        }
    }

    private func grants(ofRow row: Int64) throws(StoreError) -> [ClientID: Scopes] {
        var scopes: [ClientID: [Scope]] = [:]
        _ = try connection.all(
            "SELECT c.client_id, g.scope FROM grants g JOIN clients c ON c.id = g.client WHERE g.resource = ?",
            [.integer(row)]
        ) { row throws(StoreError) in scopes[try row.clientID(0), default: []].append(try row.scope(1)) }
        return scopes.mapValues { Scopes($0) }
    }
}
