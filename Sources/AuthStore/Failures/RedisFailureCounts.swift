internal import JOSE
public import OAuth
internal import OpenSSLCrypto
public import Redis

/// Levels of leaky buckets that several servers share, in 65,536 keys of Redis and never more.
///
/// A bucket's level is the time until it is empty, and that is the time its key has left to live: Redis itself
/// drains and removes it, and no clock has to agree with another. A key's name is a hash of what is counted, its
/// value a longer one, so that neither a client id nor an address is in Redis. Where two things meet in one name,
/// the later is not counted there, and each server counts it by itself.
public struct RedisFailureCounts: Sendable {
    /// A failure to count in one bucket.
    public struct Failure: Sendable, Hashable {
        let place: Int
        let mark: String
        let amount: Milliseconds

        /// A failure of something that these words name.
        /// - Parameter amount: by how much the level rises.
        public init(of words: [String], adding amount: Milliseconds) {
            // No client id holds a NUL, so that no two lists of words are one text.
            let digest = SHA256.digest(Array(words.joined(separator: "\0").utf8))
            place = Int(digest[0]) << 8 | Int(digest[1])
            mark = Base64URL.encode(digest[2..<14].span)
            self.amount = amount
        }
    }

    private let connection: RedisConnection
    private let keys: TokenKeys

    /// Counts behind a connection.
    /// - Parameters:
    ///   - connection: the connection, such as a loop's own.
    ///   - keys: the names of the keys.
    public init(_ connection: RedisConnection, keys: TokenKeys) {
        self.connection = connection
        self.keys = keys
    }

    /// Adds to buckets, all in one question.
    /// - Parameter maximum: where levels stop.
    /// - Returns: the levels now; 0 for a bucket that is not counted because another has its name.
    nonisolated(nonsending) public func add(
        _ failures: [Failure], upTo maximum: Milliseconds
    ) async throws(RedisError) -> [Milliseconds] {
        var arguments: [RedisCommand.Argument] = [.text(Self.script), .integer(Int64(failures.count))]
        arguments += failures.map { .text(keys.failures(in: $0.place)) }
        arguments.append(.integer(maximum))
        for failure in failures { arguments += [.text(failure.mark), .integer(failure.amount)] }
        let reply = try await connection.command(RedisCommand("EVAL", arguments))
        guard case .array(let levels) = reply, levels.count == failures.count else {
            throw .malformed("no levels of failures")
        }
        return levels.map { $0.number ?? 0 }
    }

    private static let script = """
        local levels = {}
        for i, key in ipairs(KEYS) do
          local mark = redis.call('GET', key)
          if mark and mark ~= ARGV[2 * i] then
            levels[i] = 0
          else
            local level = math.max(0, redis.call('PTTL', key)) + tonumber(ARGV[2 * i + 1])
            levels[i] = math.min(level, tonumber(ARGV[1]))
            redis.call('SET', key, ARGV[2 * i], 'PX', math.max(1, levels[i]))
          end
        end
        return levels
        """
}
