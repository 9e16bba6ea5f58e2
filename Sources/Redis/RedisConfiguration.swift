/// Where Redis is, who we are there, and how long and how much may wait.
public struct RedisConfiguration: Sendable, CustomStringConvertible {
    /// The longest time from the call of a command to its reply, and for a connection to stand: 1 s.
    public var commandDeadline: Duration = .seconds(1)
    /// How many commands may wait for a reply at once on a connection; more are refused: 8192.
    public var maximumPending = 8192
    /// The name that `CLIENT LIST` shows for the connection; letters, digits and `-`.
    public var connectionName = "authserver"

    /// What names of keys begin with: the URL's `prefix`; nil when it has none.
    public let keyPrefix: String?

    let endpoint: Endpoint
    let credentials: Credentials?
    let database: Int

    enum Endpoint: Sendable, Hashable {
        case tcp(host: String, port: Int)
        case unix(path: String)
    }

    /// Never printed, also not by `dump`.
    struct Credentials: Sendable, CustomStringConvertible, CustomReflectable {
        let user: String?
        let password: String

        var description: String { "(hidden)" }
        var customMirror: Mirror { Mirror(self, children: []) }
    }

    /// Reads a Redis URL.
    ///
    /// `redis://USER:PASSWORD@HOST:PORT/DATABASE?prefix=PREFIX` or `unix:///PATH?db=DATABASE&prefix=PREFIX`, the
    /// latter with `&user=USER&password=PASSWORD` where needed. All but the host or path may be left out, IPv6
    /// hosts stand in brackets, and everything is percent-decoded.
    /// - Throws: `RedisError.configuration`, which says how the URL should look and repeats nothing of it.
    public init(url: String) throws(RedisError) {
        let parts = try RedisURL(url)
        endpoint = parts.endpoint
        credentials = parts.credentials
        database = parts.database
        keyPrefix = parts.prefix
    }

    /// Whether keys may begin with a text: 1 to 64 visible ASCII characters. Not with none: what the server writes
    /// could then not be told from other keys of the database, by people or by an ACL.
    package static func isKeyPrefix(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// The address without user and password, for the log.
    public var description: String {
        switch endpoint {
        case .tcp(let host, let port):
            "redis://\(host.contains(":") ? "[\(host)]" : host):\(port)/\(database)"
        case .unix(let path): "unix://\(path)?db=\(database)"
        }
    }
}
