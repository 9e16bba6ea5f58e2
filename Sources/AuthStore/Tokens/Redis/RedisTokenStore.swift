public import OAuth
public import Redis

/// Issued tokens in Redis, under the names of `TokenKeys`, one key each, which Redis forgets by itself when the
/// token ends; guards that check the store read the same keys.
///
/// May be called from any task, and fastest from tasks of its connection's loop. Redis must not evict
/// (`maxmemory-policy noeviction`): a key that is gone is a token that is inactive.
public struct RedisTokenStore: TokenStore {
    private let connection: RedisConnection
    private let keys: TokenKeys
    private let tokenPrefix: String
    private let revocationPrefix: String
    private let now: @Sendable () -> Milliseconds

    /// A store behind a connection.
    /// - Parameters:
    ///   - connection: the connection, such as a loop's own.
    ///   - keys: the names of the keys.
    ///   - now: the clock, in milliseconds since 1970.
    public init(
        _ connection: RedisConnection, keys: TokenKeys,
        now: @escaping @Sendable () -> Milliseconds = WallClock.now
    ) {
        self.connection = connection
        self.keys = keys
        (tokenPrefix, revocationPrefix) = (keys.tokenPrefix, keys.revocationPrefix)
        self.now = now
    }

    /// Keeps a token until it expires: one `SET`.
    nonisolated(nonsending) public func record(_ token: StoredToken) async throws(TokenStoreError) {
        guard let command = recording(token) else { return }
        try await done(command)
    }

    /// The command that keeps a token; nil for one that has ended.
    @inline(never)
    private func recording(_ token: StoredToken) -> RedisCommand? {
        // A span and not a moment: Redis's clock need not agree with ours. In milliseconds, so that the token
        // ends with its `exp` and not up to a second later.
        let (end, overflow) = token.expiresAt.multipliedReportingOverflow(by: 1000)
        let left = (overflow ? .max : end).subtractingReportingOverflow(now())
        guard !left.overflow, left.partialValue > 0 else { return nil }
        // Redis refuses what overflows its own clock; nobody is there in a thousand years.
        let milliseconds = min(left.partialValue, 31_536_000_000_000)
        return RedisCommand("SET", count: 4) { command in
            token.tokenID.withBytes { command.append(tokenPrefix, $0) }
            command.append(.integer(token.issuedAtMilliseconds))
            command.append("PX")
            command.append(.integer(milliseconds))
        }
    }

    /// Whether a token is active: one `MGET` of its key and of its client's revocation.
    nonisolated(nonsending) public func status(
        of id: TokenID, client: ClientID, expiringAt end: Int64?
    ) async throws(TokenStoreError) -> TokenStatus {
        let reply = try await ask(
            RedisCommand("MGET", count: 2) { command in
                id.withBytes { command.append(tokenPrefix, $0) }
                command.append(revocationPrefix, client.value.utf8.span)
            })
        guard case .array(let values) = reply, values.count == 2 else { throw Self.strange }
        guard values[0] != .null else { return .inactive }
        guard let issuedAt = values[0].number else { throw Self.strange }
        guard values[1] != .null else { return .active }
        guard let revokedAt = values[1].number else { throw Self.strange }
        return TokenKeys.isActive(issuedAt: issuedAt, revokedAt: revokedAt) ? .active : .inactive
    }

    /// Ends a token: its key goes.
    nonisolated(nonsending) public func revoke(
        _ id: TokenID, expiringAt end: Int64?
    ) async throws(TokenStoreError) {
        let command = RedisCommand("DEL", count: 1) { command in
            id.withBytes { command.append(tokenPrefix, $0) }
        }
        guard try await ask(command).number != nil else { throw Self.strange }
    }

    /// Ends all tokens of a client up to a moment: one key, which a later moment replaces and an earlier does not.
    nonisolated(nonsending) public func revokeAll(
        of client: ClientID, at milliseconds: Int64, keepFor seconds: Int64
    ) async throws(TokenStoreError) {
        try await done(
            RedisCommand(
                "EVAL", .text(Self.raiseRevocation), 1, .text(keys.revocation(of: client)),
                .integer(milliseconds), .integer(max(1, seconds))))
    }

    /// Whether Redis answers and can be written: a `SET` of a key that lives for a second, since a `PING` is
    /// answered also by a replica and by a server that is full or cannot save.
    nonisolated(nonsending) public func ping() async throws(TokenStoreError) {
        try await done(RedisCommand("SET", .text("\(keys.prefix)ping"), 1, "EX", 1))
    }

    /// Two revocations may arrive in either order, and a plain `SET` could bring back tokens that the later one
    /// ended; a script is atomic. The key lives as long as the longer of the two was to be kept.
    private static let raiseRevocation = """
        local value, seconds = ARGV[1], tonumber(ARGV[2])
        local known = redis.call('GET', KEYS[1])
        if known and (tonumber(known) or 0) >= tonumber(value) then value = known end
        redis.call('SET', KEYS[1], value, 'EX', math.max(seconds, redis.call('TTL', KEYS[1])))
        return redis.status_reply('OK')
        """

    private static let strange = TokenStoreError.unavailable(
        "Redis holds or answers what this server does not write: another program uses its keys or its port")

    nonisolated(nonsending) private func done(_ command: RedisCommand) async throws(TokenStoreError) {
        guard try await ask(command) == .status("OK") else { throw Self.strange }
    }

    nonisolated(nonsending) private func ask(_ command: RedisCommand) async throws(TokenStoreError)
        -> RedisReply
    {
        do throws(RedisError) {
            return try await connection.command(command)
        } catch {
            throw TokenStoreError(error)
        }
    }
}

extension TokenStoreError {
    fileprivate init(_ error: RedisError) {
        self =
            switch error {
            case .timedOut: .timedOut
            case .overloaded: .overloaded
            case .configuration, .unavailable, .refused, .malformed: .unavailable(error.description)
            }
    }
}
