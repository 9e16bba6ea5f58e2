public import OAuth
internal import SQLite

extension Registry {
    /// Adds a client without secrets and grants.
    /// - Throws: `alreadyExists`, or `invalid` for a lifetime out of range or an unfit name.
    public func addClient(_ draft: ClientDraft, at now: Milliseconds) throws(StoreError) {
        try Self.checkLifetime(draft.tokenLifetime)
        let name = draft.name ?? draft.id.value
        try Self.checkName(name)
        try transaction { () throws(StoreError) in
            guard try numericID(of: draft.id) == nil else {
                throw StoreError(
                    .alreadyExists,
                    "there is a client \(draft.id) already: choose another id, or see `authserver client --help` for what "
                        + "changes one")
            }
            try connection.change(
                """
                INSERT INTO clients (client_id, name, token_lifetime, auth_method, created_at, updated_at)
                VALUES (?1, ?2, ?3, ?4, ?5, ?5)
                """,
                [
                    .text(draft.id.value), .text(name), .integer(draft.tokenLifetime),
                    .optional(draft.authenticationMethod?.rawValue), .integer(now),
                ])
            try forgetRights(ofRow: connection.lastInsertedRow)
            try record(.clientAdd, client: draft.id, detail: Self.detail(of: draft), at: now)
        }
    }

    /// What of a new client is not as it is by itself.
    private static func detail(of draft: ClientDraft) -> ChangeDetail {
        var detail = ChangeDetail.nothing
        if let name = draft.name, name != draft.id.value { detail.add("name", name) }
        if draft.tokenLifetime != ClientDraft.defaultTokenLifetime {
            detail.add("token_lifetime", draft.tokenLifetime)
        }
        if let method = draft.authenticationMethod { detail.add("auth_method", method.rawValue) }
        return detail
    }

    /// Ends what a new client seems to have: a row's number is used again, and where the one before was deleted with
    /// foreign keys off, as in SQLite's shell, its secrets and grants are still there.
    private func forgetRights(ofRow row: Int64) throws(StoreError) {
        // Most have none, and a look is cheaper than three changes of nothing.
        let hasRights = try connection.integer(
            """
            SELECT EXISTS (SELECT 1 FROM client_secrets WHERE client = ?1)
                OR EXISTS (SELECT 1 FROM grants WHERE client = ?1)
                OR EXISTS (SELECT 1 FROM resources WHERE owner = ?1)
            """, [.integer(row)])
        guard hasRights != 0 else { return }
        for statement in [
            "DELETE FROM client_secrets WHERE client = ?", "DELETE FROM grants WHERE client = ?",
            "UPDATE resources SET owner = NULL WHERE owner = ?",
        ] {
            try connection.change(statement, [.integer(row)])
        }
    }

    /// Sets how long a client's next tokens live, in seconds.
    public func setTokenLifetime(
        _ seconds: Int64, of client: ClientID, at now: Milliseconds
    ) throws(StoreError) {
        try Self.checkLifetime(seconds)
        try transaction { () throws(StoreError) in
            let row = try existing(client)
            let old = try connection.integer(
                "SELECT token_lifetime FROM clients WHERE id = ?", [.integer(row)])
            guard old != seconds else { return }
            try connection.change(
                "UPDATE clients SET token_lifetime = ? WHERE id = ?", [.integer(seconds), .integer(row)])
            try touch(row, at: now)
            try record(
                .clientSet, client: client, detail: .change("token_lifetime", from: old ?? 0, to: seconds),
                at: now)
        }
    }

    /// Gives a client another name for people.
    public func setName(_ name: String, of client: ClientID, at now: Milliseconds) throws(StoreError) {
        try Self.checkName(name)
        try transaction { () throws(StoreError) in
            let row = try existing(client)
            let old = try text("SELECT name FROM clients WHERE id = ?", ofRow: row)
            guard old?.utf8.elementsEqual(name.utf8) != true else { return }
            try connection.change("UPDATE clients SET name = ? WHERE id = ?", [.text(name), .integer(row)])
            try touch(row, at: now)
            try record(.clientSet, client: client, detail: .change("name", from: old, to: name), at: now)
        }
    }

    /// Sets the only way in which a client may send its secret; nil for either.
    public func setAuthenticationMethod(
        _ method: ClientAuthenticationMethod?, of client: ClientID, at now: Milliseconds
    ) throws(StoreError) {
        try transaction { () throws(StoreError) in
            let row = try existing(client)
            let old = try text("SELECT auth_method FROM clients WHERE id = ?", ofRow: row)
            guard old != method?.rawValue else { return }
            try connection.change(
                "UPDATE clients SET auth_method = ? WHERE id = ?",
                [.optional(method?.rawValue), .integer(row)])
            try touch(row, at: now)
            try record(
                .clientSet, client: client, detail: .change("auth_method", from: old, to: method?.rawValue),
                at: now)
        }
    }

    /// Disables a client, so that it gets no tokens and those it has are inactive from this moment, or enables it
    /// again, which does not bring them back.
    /// - Returns: whether that changed anything.
    @discardableResult
    public func setDisabled(
        _ isDisabled: Bool, client: ClientID, at now: Milliseconds
    ) throws(StoreError) -> Bool {
        try transaction { () throws(StoreError) in
            let row = try existing(client)
            let changed = try connection.change(
                """
                UPDATE clients SET disabled_at = ?1, updated_at = ?2
                WHERE id = ?3 AND (disabled_at IS NULL) = (?1 IS NOT NULL)
                """, [.optional(isDisabled ? now : nil), .integer(now), .integer(row)])
            guard changed > 0 else { return false }
            if isDisabled { try insertRevocation(of: client, at: now) }
            try record(isDisabled ? .clientDisable : .clientEnable, client: client, at: now)
            return true
        }
    }

    /// Removes a client with its secrets and grants; its tokens are inactive from this moment, and stay so if a
    /// client of the same id is added later.
    /// - Returns: the resources that it owned and that have no owner now.
    @discardableResult
    public func removeClient(_ client: ClientID, at now: Milliseconds) throws(StoreError) -> [ResourceID] {
        try transaction { () throws(StoreError) in
            let row = try existing(client)
            let owned = try connection.all(
                "SELECT resource_id FROM resources WHERE owner = ? ORDER BY resource_id", [.integer(row)]
            ) { row throws(StoreError) in try row.resourceID(0) }
            try recordGrants(ofClient: row, at: now)
            for resource in owned { try record(.ownerRemove, client: client, resource: resource, at: now) }
            try connection.change("DELETE FROM clients WHERE id = ?", [.integer(row)])
            try insertRevocation(of: client, at: now)
            try record(.clientRemove, client: client, at: now)
            return owned
        }
    }

    /// Whether there is any client.
    public func hasClients() throws(StoreError) -> Bool {
        try reading { () throws(StoreError) in
            try connection.integer("SELECT EXISTS (SELECT 1 FROM clients)") == 1
        }
    }

    // MARK: Help

    /// The row of a client; nil when there is none.
    func numericID(of client: ClientID) throws(StoreError) -> Int64? {
        try connection.integer("SELECT id FROM clients WHERE client_id = ?", [.text(client.value)])
    }

    /// The row of a client that must be there.
    func existing(_ client: ClientID) throws(StoreError) -> Int64 {
        if let row = try numericID(of: client) { return row }
        throw StoreError(
            .notFound,
            "there is no client \(client): `authserver client list` shows all, `authserver client add` adds one"
        )
    }

    /// The text in the first column of a statement about one row; nil for none.
    private func text(_ sql: String, ofRow row: Int64) throws(StoreError) -> String? {
        try connection.one(sql, [.integer(row)]) { row throws(StoreError) in row.optionalText(0) } ?? nil
    }

    /// Notes that a client, its secrets or its grants changed.
    func touch(_ row: Int64, at now: Milliseconds) throws(StoreError) {
        try connection.change(
            "UPDATE clients SET updated_at = ?1 WHERE id = ?2 AND updated_at <> ?1",
            [.integer(now), .integer(row)])
    }

    private static func checkLifetime(_ seconds: Int64) throws(StoreError) {
        guard ClientDraft.tokenLifetimes.contains(seconds) else {
            throw StoreError(
                .invalid, "tokens live 1 to \(ClientDraft.tokenLifetimes.upperBound) seconds, not \(seconds)")
        }
    }

    private static func checkName(_ name: String) throws(StoreError) {
        guard isFitName(name) else {
            throw StoreError(.invalid, "a client's name has 1 to 255 bytes and no control characters")
        }
    }

    /// Whether it is 1 to 255 bytes without control characters.
    static func isFitName(_ name: String) -> Bool {
        // Most are ASCII, of which a look at the byte is enough.
        let isFit = name.unicodeScalars.allSatisfy { character in
            character.isASCII
                ? (0x20..<0x7F).contains(character.value) : character.properties.generalCategory != .control
        }
        return isFit && !name.isEmpty && name.utf8.count <= 255
    }
}
