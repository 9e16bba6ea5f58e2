/// The parts of a Redis URL; a pure function of its text.
struct RedisURL {
    let endpoint: RedisConfiguration.Endpoint
    let credentials: RedisConfiguration.Credentials?
    let database: Int
    let prefix: String?

    init(_ url: String) throws(RedisError) {
        guard let separator = url.firstRange(of: "://") else {
            throw .configuration("a Redis URL begins with redis:// or unix://")
        }
        let scheme = url[..<separator.lowerBound].lowercased()
        let (rest, query) = Self.split(url[separator.upperBound...], at: "?")
        guard !url.contains("#") else {
            throw .configuration("a Redis URL has no fragment: write %23 for # in a password")
        }
        let options = try Self.options(
            query, known: scheme == "unix" ? ["db", "prefix", "user", "password"] : ["db", "prefix"])
        prefix = options["prefix"]
        guard prefix.map(RedisConfiguration.isKeyPrefix) ?? true else {
            throw .configuration(
                "the prefix of a Redis URL has 1 to 64 visible ASCII characters: leave it out for the usual one"
            )
        }
        switch scheme {
        case "redis":
            let (authority, path) = Self.split(rest, at: "/")
            let (userInfo, host) = Self.splitLast(authority, at: "@")
            credentials = try Self.credentials(userInfo)
            endpoint = try Self.tcpEndpoint(host)
            guard path?.isEmpty ?? true || options["db"] == nil else {
                throw .configuration("the database is named twice in the Redis URL")
            }
            database = try Self.database(path.map(String.init) ?? options["db"])
        case "unix":
            let (userInfo, path) = Self.splitLast(rest, at: "@")
            credentials = try Self.credentials(userInfo) ?? Self.credentials(options)
            endpoint = try Self.unixEndpoint(path)
            database = try Self.database(options["db"])
        case "rediss":
            throw .configuration(
                "rediss:// is not spoken: put a TLS proxy such as stunnel in front of Redis, on this machine, and name it with redis://"
            )
        default:
            throw .configuration("a Redis URL begins with redis:// or unix://")
        }
    }

    private static func tcpEndpoint(_ text: Substring) throws(RedisError) -> RedisConfiguration.Endpoint {
        var host = text
        var port: Substring?
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else {
                throw .configuration("the IPv6 host of the Redis URL has no closing bracket")
            }
            host = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.first == ":" else {
                throw .configuration("after the IPv6 host of the Redis URL comes :PORT")
            }
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else {
            (host, port) = Self.split(text, at: ":")
            guard port?.contains(":") != true else {
                throw .configuration("an IPv6 host stands in brackets: redis://[::1]:6379")
            }
        }
        let name = try decode(host, "host")
        guard !name.isEmpty else { throw .configuration("the Redis URL names no host") }
        return .tcp(host: name, port: try self.port(port))
    }

    private static func port(_ text: Substring?) throws(RedisError) -> Int {
        guard let text else { return 6379 }
        guard let port = number(text), (1...65535).contains(port) else {
            throw .configuration("the port of the Redis URL is a number from 1 to 65535")
        }
        return port
    }

    private static func unixEndpoint(_ text: Substring) throws(RedisError) -> RedisConfiguration.Endpoint {
        let path = try decode(text, "path")
        guard path.first == "/", path.utf8.count > 1 else {
            throw .configuration("a Unix socket is named by its whole path: unix:///run/redis/redis.sock")
        }
        guard path.utf8.count < 108 else {
            throw .configuration("the path of a Unix socket has at most 107 bytes")
        }
        return .unix(path: path)
    }

    private static func credentials(
        _ text: Substring?
    ) throws(RedisError) -> RedisConfiguration.Credentials? {
        guard let text else { return nil }
        let (user, password) = split(text, at: ":")
        guard let password else {
            throw .configuration("the password of a Redis URL follows a colon: redis://:PASSWORD@host")
        }
        let name = try decode(user, "user name")
        return .init(user: name.isEmpty ? nil : name, password: try decode(password, "password"))
    }

    private static func database(_ text: String?) throws(RedisError) -> Int {
        guard let text, !text.isEmpty else { return 0 }
        guard let database = number(text[...]) else {
            throw .configuration("the database of a Redis URL is a number: redis://host/0")
        }
        return database
    }

    private static func credentials(_ options: [String: String]) -> RedisConfiguration.Credentials? {
        let user = options["user"].flatMap { $0.isEmpty ? nil : $0 }
        return options["password"].map { .init(user: user, password: $0) }
    }

    private static func options(
        _ query: Substring?, known: [Substring]
    ) throws(RedisError) -> [String: String] {
        var options: [String: String] = [:]
        for pair in (query ?? "").split(separator: "&") {
            let (name, value) = split(pair, at: "=")
            guard known.contains(name) else {
                throw .configuration(
                    "the query of this Redis URL takes \(known.joined(separator: ", ")) alone")
            }
            guard options[String(name)] == nil else {
                throw .configuration("an option of the Redis URL is there twice")
            }
            options[String(name)] = try decode(value ?? "", "query")
        }
        return options
    }

    private static func number(_ text: Substring) -> Int? {
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        return Int(text)
    }

    /// Percent-decoding (RFC 3986 §2.1).
    private static func decode(_ text: Substring, _ what: String) throws(RedisError) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit)
            else { throw .configuration("in the \(what) of the Redis URL, write %25 for a percent sign") }
            bytes.append(high << 4 | low)
        }
        guard let decoded = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw .configuration("the \(what) of the Redis URL is UTF-8 without NUL")
        }
        return decoded
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func split(_ text: Substring, at separator: Character) -> (Substring, Substring?) {
        guard let index = text.firstIndex(of: separator) else { return (text, nil) }
        return (text[..<index], text[text.index(after: index)...])
    }

    private static func splitLast(_ text: Substring, at separator: Character) -> (Substring?, Substring) {
        guard let index = text.lastIndex(of: separator) else { return (nil, text) }
        return (text[..<index], text[text.index(after: index)...])
    }
}
