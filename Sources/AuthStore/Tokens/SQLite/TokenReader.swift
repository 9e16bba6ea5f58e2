internal import OAuth
internal import SQLite

/// Looks tokens up on a connection of its own, waiting for nobody; opens it when needed and again after trouble.
/// Confined to one thread at a time.
final class TokenReader {
    private let path: String
    private let now: @Sendable () -> Milliseconds
    private var lookup: Statement?
    private var connection: Connection?
    private var identity: FileIdentity?
    private var checkedSecond: Int64 = 0

    init(path: String, now: @escaping @Sendable () -> Milliseconds) {
        self.path = path
        self.now = now
    }

    func status(of id: TokenID, client: ClientID) throws(TokenStoreError) -> TokenStatus {
        let second = now() / 1000
        do {
            return try lookUp(id, client, at: second) ? .active : .inactive
        } catch {
            (lookup, connection) = (nil, nil)
            throw .unavailable("\(error)")
        }
    }

    private func lookUp(_ id: TokenID, _ client: ClientID, at second: Int64) throws(SQLiteError) -> Bool {
        let lookup = try statement(at: second)
        try lookup.bind(id.value, at: 1)
        try lookup.bind(second, at: 2)
        try lookup.bind(client.value, at: 3)
        defer { lookup.reset() }
        return try lookup.step()
    }

    private func statement(at second: Int64) throws(SQLiteError) -> Statement {
        if second != checkedSecond {
            checkedSecond = second
            if identity != FileIdentity(path: path) { (lookup, connection) = (nil, nil) }
        }
        if let lookup { return lookup }
        // While another connection closes, a new one may have to wait for some microseconds; later ones never do.
        let connection = try Connection(path: path, mode: .readOnly, busyTimeout: 100)
        defer { connection.setBusyTimeout(0) }
        let statement = try connection.statement(
            """
            SELECT 1 FROM tokens WHERE jti = ?1 AND expires_at > ?2 AND issued_at >
                coalesce((SELECT revoked_at FROM client_revocations WHERE client_id = ?3), -9223372036854775808)
            """)
        identity = FileIdentity(path: path)
        (lookup, self.connection) = (statement, connection)
        return statement
    }
}
