internal import EventLoop
public import OAuth
internal import Redis
public import ResourceGuard

/// Asks the authorization server's shared token store in Redis whether a token is still active: one `MGET` a
/// check, those of concurrent requests pipelined on one connection.
///
/// Needs of Redis no more than to read keys: `ACL SETUSER guard on >PASSWORD ~auth:* +mget`. Share one
/// check between all guards of a process; it may be called from any task and ends with its last reference.
public final class RedisTokenCheck: TokenCheck {
    private let thread: EventLoop.Running
    private let connection: RedisConnection
    private let tokenPrefix: String
    private let revocationPrefix: String

    /// Begins to connect, on a thread of its own.
    /// - Parameters:
    ///   - url: `redis://USER:PASSWORD@HOST:PORT/DATABASE` or `unix:///PATH?db=DATABASE`, as the authorization
    ///     server has it; with `prefix=PREFIX` after a `?` or `&` when its keys have another prefix than usual, of 1 to
    ///     64 visible ASCII characters.
    ///   - deadline: the longest that a check takes.
    /// - Throws: `ResourceGuard.ConfigurationError` for a URL that is not usable, or when the system has no thread left.
    ///   That Redis cannot be reached is no error here: checks say so, until it can.
    public init(url: String, deadline: Duration = .seconds(1)) throws(ResourceGuard.ConfigurationError) {
        var configuration: RedisConfiguration
        do throws(RedisError) {
            configuration = try RedisConfiguration(url: url)
        } catch {
            throw ResourceGuard.ConfigurationError("the URL of the token check: \(error)")
        }
        configuration.commandDeadline = deadline
        configuration.connectionName = "resource-guard"
        do throws(EventLoopError) {
            thread = try EventLoop.start(name: "token-check")
        } catch {
            throw ResourceGuard.ConfigurationError("the token check: \(error)")
        }
        connection = RedisConnection(loop: thread.loop, configuration: configuration)
        let keys = TokenKeys(prefix: configuration.keyPrefix ?? TokenKeys.defaultPrefix)
        (tokenPrefix, revocationPrefix) = (keys.tokenPrefix, keys.revocationPrefix)
    }

    // The loop closes the connection when it ends; its thread ends by itself.
    deinit {
        thread.loop.stop()
        thread.detach()
    }

    /// Whether the token is stored, and issued after its client's last revocation.
    public func isActive(
        tokenID: TokenID, clientID: ClientID, token: [UInt8]
    ) async throws(TokenCheckError) -> Bool {
        let command = RedisCommand("MGET", count: 2) { command in
            tokenID.withBytes { command.append(tokenPrefix, $0) }
            command.append(revocationPrefix, clientID.value.utf8.span)
        }
        do throws(RedisError) {
            return try Self.decide(try await connection.command(command))
        } catch {
            throw TokenCheckError(error)
        }
    }

    /// A value that is no number is no answer: it may hide a revocation.
    private static func decide(_ reply: RedisReply) throws(RedisError) -> Bool {
        guard case .array(let values) = reply, values.count == 2 else {
            throw .malformed("no array of two values")
        }
        guard values.allSatisfy({ $0 == .null || $0.number != nil }) else {
            throw .malformed("a value that the authorization server does not write")
        }
        return TokenKeys.isActive(issuedAt: values[0].number, revokedAt: values[1].number)
    }
}

extension TokenCheckError {
    fileprivate init(_ error: RedisError) {
        self =
            switch error {
            case .timedOut: .timedOut
            case .overloaded: .overloaded
            case .configuration, .unavailable, .refused, .malformed: .unavailable(error.description)
            }
    }
}
