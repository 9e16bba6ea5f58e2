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
            try forgetRights(ofRow: try existing(draft.id))
        }
    }

    /// Ends what a new client seems to have: a row's number is used again, and where the one before was deleted with
    /// foreign keys off, as in SQLite's shell, its secrets and grants are still there.
    private func forgetRights(ofRow row: Int64) throws(StoreError) {
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
            try connection.change(
                "UPDATE clients SET token_lifetime = ?, updated_at = ? WHERE id = ?",
                [.integer(seconds), .integer(now), .integer(try existing(client))])
        }
    }

    /// Gives a client another name for people.
    public func setName(_ name: String, of client: ClientID, at now: Milliseconds) throws(StoreError) {
        try Self.checkName(name)
        try transaction { () throws(StoreError) in
            try connection.change(
                "UPDATE clients SET name = ?, updated_at = ? WHERE id = ?",
                [.text(name), .integer(now), .integer(try existing(client))])
        }
    }

    /// Sets the only way in which a client may send its secret; nil for either.
    public func setAuthenticationMethod(
        _ method: ClientAuthenticationMethod?, of client: ClientID, at now: Milliseconds
    ) throws(StoreError) {
        try transaction { () throws(StoreError) in
            try connection.change(
                "UPDATE clients SET auth_method = ?, updated_at = ? WHERE id = ?",
                [.optional(method?.rawValue), .integer(now), .integer(try existing(client))])
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
            if isDisabled, changed > 0 { try insertRevocation(of: client, at: now) }
            return changed > 0
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
            try connection.change("DELETE FROM clients WHERE id = ?", [.integer(row)])
            try insertRevocation(of: client, at: now)
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
        // Most are ASCII, of which a look at the byte is enough.
        let isFit = name.unicodeScalars.allSatisfy { character in
            character.isASCII
                ? (0x20..<0x7F).contains(character.value) : character.properties.generalCategory != .control
        }
        guard isFit, !name.isEmpty, name.utf8.count <= 255 else {
            throw StoreError(.invalid, "a client's name has 1 to 255 bytes and no control characters")
        }
    }
}
