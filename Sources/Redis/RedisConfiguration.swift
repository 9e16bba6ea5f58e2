/// Where a Redis server is, who we are there, and how long we wait.
///
/// Written as a URL: `redis://user:password@host:port/database`, or `unix:///path/to.sock?db=1`, with
/// `?user=` and `?password=` there. Its description shows no password.
public struct RedisConfiguration: Sendable, CustomStringConvertible {
    /// What is connected to.
    public enum Endpoint: Sendable, Hashable {
        /// A host, by name or address, and its port.
        case tcp(host: String, port: Int)
        /// A unix socket.
        case unix(path: String)
    }

    /// What is connected to.
    public var endpoint: Endpoint
    /// The ACL user; nil for the default user.
    public var user: String?
    /// The number of the database.
    public var database: Int
    /// How long a command, or a connection attempt, may take.
    public var deadline = Duration.seconds(1)
    /// How many commands may wait for their replies.
    public var maximumPending = 8192
    /// How long after a failed attempt the next one is made, at first; doubled with each failure.
    public var firstBackoff = Duration.milliseconds(50)
    /// The longest time between two attempts.
    public var longestBackoff = Duration.seconds(2)
    var password: String?

    /// Reads a URL.
    /// - Throws: `configuration`, with how to write it.
    public init(url: String) throws(RedisError) {
        let parsed = try RedisURLParser.parse(url)
        endpoint = parsed.endpoint
        user = parsed.user
        password = parsed.password
        database = parsed.database
    }

    /// The server's address and database, without user and password.
    public var description: String {
        switch endpoint {
        case .tcp(let host, let port):
            "Redis at \(host.contains(":") ? "[\(host)]" : host):\(port)/\(database)"
        case .unix(let path): "Redis at \(path), database \(database)"
        }
    }
}
