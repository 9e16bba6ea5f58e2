public import OAuth
internal import SQLite

extension Registry {
    /// For how long the record of a change is kept at least, in seconds: 400 days.
    public static let changesKept: Int64 = 400 * 86_400

    /// What was changed, by whom and when, the latest first.
    /// - Parameters:
    ///   - client: only what is about this client, be it there or not.
    ///   - resource: only what is about this resource, be it there or not.
    ///   - start: only what was changed from this moment on.
    ///   - limit: how many at most.
    public func changes(
        about client: ClientID? = nil, at resource: ResourceID? = nil, since start: Milliseconds? = nil,
        limit: Int = 1000
    ) throws(StoreError) -> [RegistryChange] {
        try reading { () throws(StoreError) in
            try connection.all(
                """
                SELECT c.number, s.at, s.who, c.what, c.client_id, c.resource_id, c.object_id, c.detail
                FROM changes c LEFT JOIN change_sets s ON s.id = c.change_set
                WHERE (?1 IS NULL OR c.client_id = ?1) AND (?2 IS NULL OR c.resource_id = ?2)
                    AND (?3 IS NULL OR s.at >= ?3)
                ORDER BY c.number DESC LIMIT ?4
                """,
                [
                    .optional(client?.value), .optional(resource?.value), .optional(start),
                    .integer(Int64(max(0, limit))),
                ]
            ) { row in
                RegistryChange(
                    number: row.integer(0), moment: row.moment(1), who: row.text(2), what: row.text(3),
                    client: row.optionalText(4), resource: row.optionalText(5), object: row.optionalText(6),
                    detail: row.optionalText(7))
            }
        }
    }

    /// Records that an administrator has issued a token, which is in the token store and given to nobody yet.
    package func recordIssue(of claims: AccessTokenClaims, at now: Milliseconds) throws(StoreError) {
        var detail = ChangeDetail.nothing
        detail.add("aud", claims.audience.lazy.map(\.value))
        detail.add("scopes", claims.scopes.lazy.map(\.value))
        detail.add("expires_at", claims.expiresAt)
        try transaction { () throws(StoreError) in
            try record(
                .tokenIssue, client: claims.clientID, object: claims.tokenID.value, detail: detail, at: now)
        }
    }

    /// Records that an administrator has ended a token.
    package func recordRevocation(of token: TokenID, at now: Milliseconds) throws(StoreError) {
        try transaction { () throws(StoreError) in
            try record(.tokenRevoke, object: token.value, at: now)
        }
    }

    /// Records a change in its transaction.
    func record(
        _ what: RegistryChange.Kind, client: ClientID? = nil, resource: ResourceID? = nil,
        object: String? = nil, detail: ChangeDetail = .nothing, at now: Milliseconds
    ) throws(StoreError) {
        let set = try openChangeSet(at: now)
        try connection.change(
            """
            INSERT INTO changes (change_set, what, client_id, resource_id, object_id, detail)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(set), .text(what.rawValue), .optional(client?.value), .optional(resource?.value),
                .optional(object), .optional(detail.text),
            ])
        try removeOldRecords(at: now)
    }

    /// Records that a client loses all grants, each resource for itself. To be called before.
    func recordGrants(ofClient row: Int64, at now: Milliseconds) throws(StoreError) {
        try recordLostGrants("g.client = ?3", row, nil, at: now)
    }

    /// Records that all clients lose their grants at a resource, or of one of its scopes. To be called before.
    func recordGrants(
        ofResource row: Int64, _ scope: Scope? = nil, at now: Milliseconds
    ) throws(StoreError) {
        try recordLostGrants("g.resource = ?3", row, scope, at: now)
    }

    /// In one statement, since a million clients may hold them.
    private func recordLostGrants(
        _ filter: StaticString, _ row: Int64, _ scope: Scope?, at now: Milliseconds
    ) throws(StoreError) {
        try connection.change(
            """
            INSERT INTO changes (change_set, what, client_id, resource_id, detail)
            SELECT ?1, ?2, c.client_id, o.resource_id, json_object('scopes', json_group_array(g.scope))
            FROM grants g JOIN clients c ON c.id = g.client JOIN resources o ON o.id = g.resource
            WHERE \(filter) AND (?4 IS NULL OR g.scope = ?4) GROUP BY g.client, g.resource
            """,
            [
                .integer(try openChangeSet(at: now)), .text(RegistryChange.Kind.grantRemove.rawValue),
                .integer(row), .optional(scope?.value),
            ])
    }

    /// The set of the open transaction; one more where the moment is another.
    private func openChangeSet(at now: Milliseconds) throws(StoreError) -> Int64 {
        if let row = changeSet.row, changeSet.moment == now { return row }
        try connection.change(
            "INSERT INTO change_sets (at, who) VALUES (?, ?)", [.integer(now), .text(who)])
        changeSet.row = connection.lastInsertedRow
        changeSet.moment = now
        return connection.lastInsertedRow
    }

    /// Removes what is too old of the thousand oldest, at the first record of a transaction and then at each
    /// thousandth: as many go as come, and no transaction has to remove all at once.
    private func removeOldRecords(at now: Milliseconds) throws(StoreError) {
        changeSet.recordsUntilRemoval -= 1
        guard changeSet.recordsUntilRemoval < 0 else { return }
        changeSet.recordsUntilRemoval = 999
        // A moment in the future, which somebody gave by mistake, makes nothing old that is not.
        let end = min(now, WallClock.now()) - Self.changesKept * 1000
        let removed = try connection.change(
            """
            DELETE FROM changes WHERE number IN (
                SELECT c.number FROM (SELECT number, change_set FROM changes ORDER BY number LIMIT 1000) c
                JOIN change_sets s ON s.id = c.change_set WHERE s.at < ?)
            """, [.integer(end)])
        guard removed > 0 else { return }
        try connection.change(
            """
            DELETE FROM change_sets WHERE id IN (
                SELECT id FROM change_sets WHERE id < (SELECT change_set FROM changes ORDER BY number LIMIT 1)
                ORDER BY id LIMIT 1000)
            """)
    }
}

/// What is recorded in one transaction, as long as that is open.
struct ChangeSet {
    /// Its row; nil before the first record.
    var row: Int64?
    /// The moment of the latest record.
    var moment: Milliseconds = 0
    /// How many records are still made before those that are too old are looked for again.
    var recordsUntilRemoval = 0
}
