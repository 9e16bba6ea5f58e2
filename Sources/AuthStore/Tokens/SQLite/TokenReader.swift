internal import OAuth
internal import SQLite

/// Looks tokens up on a connection of its own, waiting for nobody; opens it when needed and again after trouble.
/// Confined to one thread at a time.
final class TokenReader {
    private let path: String
    private let now: @Sendable () -> Milliseconds
    private var connection: Connection?
    private var lookup: Statement?
    private var identity: FileIdentity?
    private var checkedSecond: Int64 = 0

    init(path: String, now: @escaping @Sendable () -> Milliseconds) {
        self.path = path
        self.now = now
    }

    /// Looks a token up; searches for it where its `exp` is not known.
    func status(
        of id: TokenID, client: ClientID, expiringAt end: Int64?
    ) throws(TokenStoreError) -> TokenStatus {
        let second = now() / 1000
        do throws(SQLiteError) {
            let connection = try connection(at: second)
            let known = if let end { end } else { try search(id, connection) }
            guard let known, known > second else { return .inactive }
            return try lookUp(id, client, endingAt: known) ? .active : .inactive
        } catch {
            (lookup, connection) = (nil, nil)
            throw .unavailable("\(error)")
        }
    }

    /// Closes a file that is not the one at the path any more, or one beside which another file was lost: nobody can
    /// open that anew before all have closed it.
    func letGoOfLost() {
        guard let connection else { return }
        if identity != FileIdentity(path: path) || connection.lossOfSideFile() != nil {
            (lookup, self.connection) = (nil, nil)
        }
    }

    private func search(_ id: TokenID, _ connection: Connection) throws(SQLiteError) -> Int64? {
        try connection.first(
            "SELECT expires_at FROM tokens WHERE \(TokenSearch.byID)", [.text(id.value)]
        ) { $0.integer(0) }
    }

    private func lookUp(
        _ id: TokenID, _ client: ClientID, endingAt end: Int64
    ) throws(SQLiteError) -> Bool {
        guard let lookup else { return false }
        try lookup.bind(end, at: 1)
        try lookup.bind(id.value, at: 2)
        try lookup.bind(client.value, at: 3)
        defer { lookup.reset() }
        return try lookup.step()
    }

    /// The connection to the file that stands at the path, with its statement.
    private func connection(at second: Int64) throws(SQLiteError) -> Connection {
        if second != checkedSecond {
            checkedSecond = second
            letGoOfLost()
        }
        if let connection { return connection }
        // While another connection closes, a new one may have to wait for some microseconds; later ones never do.
        let connection = try Connection(path: path, mode: .readOnly, busyTimeout: 100)
        defer { connection.setBusyTimeout(0) }
        lookup = try connection.statement(
            """
            SELECT 1 FROM tokens WHERE expires_at = ?1 AND jti = ?2 AND issued_at >
                coalesce((SELECT revoked_at FROM client_revocations WHERE client_id = ?3), -9223372036854775808)
            """)
        connection.noteSideFiles()
        identity = FileIdentity(path: path)
        self.connection = connection
        return connection
    }
}
