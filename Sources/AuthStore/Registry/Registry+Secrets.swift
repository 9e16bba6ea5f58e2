public import OAuth
internal import OpenSSLCrypto
internal import SQLite

extension Registry {
    /// How many secrets a client may have, ended ones not counted.
    public static let maximumSecrets = 8

    /// Gives a client a secret besides those it has.
    /// - Parameters:
    ///   - verifier: what is kept of the secret.
    ///   - client: the client.
    ///   - start: from when on it is good.
    ///   - end: from when on it is good no more; nil for never.
    ///   - now: the moment of the change.
    /// - Returns: the secret's short name.
    /// - Throws: `notFound`, or `invalid` for a time that is none or too many secrets.
    @discardableResult
    public func addSecret(
        _ verifier: SecretVerifier, to client: ClientID, from start: Milliseconds,
        until end: Milliseconds? = nil,
        at now: Milliseconds
    ) throws(StoreError) -> String {
        if let end, end <= max(start, now) {
            throw StoreError(.invalid, "a secret ends after it starts, and in the future")
        }
        return try transaction { () throws(StoreError) in
            let id = try insertSecret(verifier, of: client, from: start, until: end, at: now)
            var detail = ChangeDetail.nothing
            if verifier.kind != .sha256 { detail.add("kind", verifier.kind.rawValue) }
            if start > now { detail.add("not_before", start / 1000) }
            if let end { detail.add("expires_at", end / 1000) }
            try record(.secretAdd, client: client, object: id, detail: detail, at: now)
            return id
        }
    }

    private func insertSecret(
        _ verifier: SecretVerifier, of client: ClientID, from start: Milliseconds, until end: Milliseconds?,
        at now: Milliseconds
    ) throws(StoreError) -> String {
        let row = try existing(client)
        // Most have none that ended, and a look is cheaper than a change of nothing.
        let (count, ended) = try secretCounts(ofRow: row, at: now)
        if ended > 0 {
            try connection.change(
                "DELETE FROM client_secrets WHERE client = ? AND expires_at <= ?",
                [.integer(row), .integer(now)])
        }
        try Self.requireRoom(beside: count - ended, client)
        let id = try insert(verifier, row: row, from: start, until: end, at: now)
        try touch(row, at: now)
        return id
    }

    /// Gives a client a new secret, good at once, and ends those it has.
    /// - Parameter overlap: seconds that the older ones are still good; 0 to end them at once.
    /// - Returns: the new secret's short name.
    @discardableResult
    public func rotateSecret(
        of client: ClientID, to verifier: SecretVerifier, overlap: Int64, at now: Milliseconds
    ) throws(StoreError) -> String {
        guard (0...31_536_000).contains(overlap) else {
            throw StoreError(.invalid, "secrets may overlap for up to a year")
        }
        return try transaction { () throws(StoreError) in
            // Before anything is changed: a program may go on with its transaction after a refusal.
            if overlap > 0 { try requireRoom(ofRow: try existing(client), client, at: now) }
            let end = now + overlap * 1000
            try connection.change(
                """
                UPDATE client_secrets SET expires_at = ?1
                WHERE client = ?2 AND (expires_at IS NULL OR expires_at > ?1)
                """, [.integer(end), .integer(try existing(client))])
            let id = try insertSecret(verifier, of: client, from: now, until: nil, at: now)
            var detail = ChangeDetail.nothing
            if verifier.kind != .sha256 { detail.add("kind", verifier.kind.rawValue) }
            detail.add("older_expire_at", end / 1000)
            try record(.secretRotate, client: client, object: id, detail: detail, at: now)
            return id
        }
    }

    /// Ends a secret at once.
    /// - Throws: `notFound`.
    public func removeSecret(_ id: String, of client: ClientID, at now: Milliseconds) throws(StoreError) {
        try transaction { () throws(StoreError) in
            let row = try existing(client)
            let removed = try connection.change(
                "DELETE FROM client_secrets WHERE client = ? AND secret_id = ?", [.integer(row), .text(id)])
            guard removed == 1 else {
                throw StoreError(.notFound, "client \(client) has no secret \(id)")
            }
            try touch(row, at: now)
            try record(.secretRemove, client: client, object: id, at: now)
        }
    }

    private func requireRoom(
        ofRow row: Int64, _ client: ClientID, at now: Milliseconds
    ) throws(StoreError) {
        let (count, ended) = try secretCounts(ofRow: row, at: now)
        try Self.requireRoom(beside: count - ended, client)
    }

    private static func requireRoom(beside count: Int64, _ client: ClientID) throws(StoreError) {
        guard count < maximumSecrets else {
            throw StoreError(
                .invalid,
                "client \(client) has \(maximumSecrets) secrets: remove one, or rotate without an overlap, which "
                    + "ends all of them")
        }
    }

    /// How many secrets a client has, and how many of these have ended.
    private func secretCounts(
        ofRow row: Int64, at now: Milliseconds
    ) throws(StoreError) -> (all: Int64, ended: Int64) {
        try connection.one(
            "SELECT count(*), ifnull(sum(expires_at <= ?), 0) FROM client_secrets WHERE client = ?",
            [.integer(now), .integer(row)]
        ) { ($0.integer(0), $0.integer(1)) } ?? (0, 0)
    }

    private func insert(
        _ verifier: SecretVerifier, row: Int64, from start: Milliseconds, until end: Milliseconds?,
        at now: Milliseconds
    ) throws(StoreError) -> String {
        let id = SecureRandom.bytes(6).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
        var parameters: [SQLiteValue] = [.null, .null, .null]
        if case .scrypt(let scrypt) = verifier.method {
            parameters = [
                .integer(Int64(clamping: scrypt.n)), .integer(Int64(scrypt.r)), .integer(Int64(scrypt.p)),
            ]
        }
        try connection.change(
            """
            INSERT INTO client_secrets (client, secret_id, kind, salt, hash, scrypt_n, scrypt_r, scrypt_p,
                created_at, not_before, expires_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(row), .text(id), .text(verifier.kind.rawValue), .blob(verifier.salt.copy()),
                .blob(verifier.hash.copy()),
            ] + parameters + [
                // What is good at once is good for a clock that is set back afterwards, too.
                .integer(now), .integer(start > now ? start : 0), .optional(end),
            ])
        return id
    }
}
