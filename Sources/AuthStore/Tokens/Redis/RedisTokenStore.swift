public import EventLoop
public import OAuth
public import Redis

/// Issued tokens in Redis, one key each, which Redis forgets by itself when the token ends.
///
/// `t:<jti>` holds when the token was issued, in milliseconds; `r:<client>` the moment up to which a client's
/// tokens have ended. No key outlives the last token that it says something about.
public struct RedisTokenStore: TokenStore {
    private let connection: LoopBound<RedisConnection>
    private let keys: TokenKeys
    private let now: @Sendable () -> Milliseconds

    /// A store for the tasks of one loop.
    /// - Parameters:
    ///   - connection: the loop's connection.
    ///   - keys: the names of the keys.
    ///   - now: the clock, in milliseconds since 1970.
    public init(
        _ connection: LoopBound<RedisConnection>, keys: TokenKeys,
        now: @escaping @Sendable () -> Milliseconds = WallClock.now
    ) {
        self.connection = connection
        self.keys = keys
        self.now = now
    }

    /// Keeps a token until it expires.
    public func record(_ token: StoredToken) async throws(TokenStoreError) {
        let seconds = max(1, token.expiresAt - now() / 1000)
        let reply = try await ask(
            RedisCommand(
                "SET", keys.token(token.tokenID), String(token.issuedAtMilliseconds), "EX", String(seconds)))
        guard case .status("OK") = reply else { throw Self.unexpected }
    }

    /// Whether a token is active: one question, whatever the answer.
    public func status(of id: TokenID, client: ClientID) async throws(TokenStoreError) -> TokenStatus {
        let reply = try await ask(RedisCommand("MGET", keys.token(id), keys.revocation(of: client)))
        guard case .array(let values) = reply, values.count == 2 else { throw Self.unexpected }
        let isActive = TokenKeys.isActive(issuedAt: values[0].integer, revokedAt: try moment(values[1]))
        return isActive ? .active : .inactive
    }

    /// Ends a token.
    public func revoke(_ id: TokenID) async throws(TokenStoreError) {
        guard case .integer = try await ask(RedisCommand("DEL", keys.token(id))) else {
            throw Self.unexpected
        }
    }

    /// Ends all tokens of a client up to a moment.
    public func revokeAll(
        of client: ClientID, at milliseconds: Int64, keepFor seconds: Int64
    ) async throws(TokenStoreError) {
        _ = try await ask(
            RedisCommand(
                "EVAL", Self.keepLatest, "1", keys.revocation(of: client), String(milliseconds),
                String(max(1, seconds))))
    }

    /// Whether the store answers, and takes writes: a replica or a full server answers a PING all the same.
    public func ping() async throws(TokenStoreError) {
        let reply = try await ask(RedisCommand("SET", keys.prefix + "ready", "1", "EX", "1"))
        guard case .status("OK") = reply else { throw Self.unexpected }
    }

    /// A later moment, or a longer time, is never replaced by an earlier or shorter one.
    private static let keepLatest = """
        local present = redis.call('GET', KEYS[1])
        if not present or tonumber(present) < tonumber(ARGV[1]) then
          redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
        elseif redis.call('TTL', KEYS[1]) < tonumber(ARGV[2]) then
          redis.call('EXPIRE', KEYS[1], ARGV[2])
        end
        return 1
        """

    private static let unexpected = TokenStoreError.unavailable(
        "Redis sent a reply that does not fit the command")

    /// The value of a revocation's key. One that is no number is damage, and a reason to refuse.
    private func moment(_ reply: RedisReply) throws(TokenStoreError) -> Int64? {
        if case .null = reply { return nil }
        guard let moment = reply.integer else { throw Self.unexpected }
        return moment
    }

    private func ask(_ command: RedisCommand) async throws(TokenStoreError) -> RedisReply {
        do throws(RedisError) {
            return try await connection.value.command(command)
        } catch {
            switch error {
            case .timedOut: throw .timedOut
            case .overloaded: throw .overloaded
            case .unavailable, .refused, .malformed, .configuration: throw .unavailable(error.description)
            }
        }
    }
}
