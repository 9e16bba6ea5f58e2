internal import SQLite

extension Registry {
    /// What is noted of the server that was started last; nil before one was.
    public func server() throws(StoreError) -> ServerRecord? {
        try reading { () throws(StoreError) in
            try connection.one("SELECT issuer, jwks_max_age, kept_until FROM server") {
                row throws(StoreError) in
                ServerRecord(issuer: row.text(0), jwksMaxAge: row.seconds(1), keptUntil: row.moment(2))
            }
        }
    }

    /// Notes what a server serves with from now on; without the write lock where that is known.
    /// - Parameters:
    ///   - issuer: the `iss` of its tokens.
    ///   - jwksMaxAge: the `max-age` of its key set, in seconds.
    ///   - now: the moment of the change.
    public func recordServer(
        issuer: String, jwksMaxAge: Int64, at now: Milliseconds
    ) throws(StoreError) {
        if let known = try server(), known.issuer == issuer, known.jwksMaxAge == jwksMaxAge { return }
        try transaction { () throws(StoreError) in
            let known = try server()
            let next =
                known?.followed(byIssuer: issuer, jwksMaxAge: jwksMaxAge, at: now)
                ?? ServerRecord(issuer: issuer, jwksMaxAge: jwksMaxAge)
            try connection.change(
                "INSERT OR REPLACE INTO server (only_row, issuer, jwks_max_age, kept_until) VALUES (1, ?, ?, ?)",
                [.text(next.issuer), .integer(next.jwksMaxAge), .integer(next.keptUntil)])
            if known?.issuer != issuer {
                try record(.serverSet, detail: .change("issuer", from: known?.issuer, to: issuer), at: now)
            }
            if known?.jwksMaxAge != jwksMaxAge {
                try record(
                    .serverSet, detail: .change("jwks_max_age", from: known?.jwksMaxAge, to: jwksMaxAge),
                    at: now)
            }
        }
    }
}
