/// Reads the URL of a Redis server.
enum RedisURLParser {
    struct Parsed {
        var endpoint: RedisConfiguration.Endpoint
        var user: String?
        var password: String?
        var database = 0
    }

    static func parse(_ url: String) throws(RedisError) -> Parsed {
        guard let range = url.firstRange(of: "://") else { throw form }
        let rest = url[range.upperBound...]
        switch url[..<range.lowerBound].lowercased() {
        case "redis": return try tcp(rest)
        case "unix", "redis+unix", "redis+socket": return try unix(rest)
        case "rediss":
            throw .configuration(
                "rediss is not spoken here: put a TLS proxy such as stunnel beside this process, and name its address"
            )
        default: throw form
        }
    }

    private static let form = RedisError.configuration(
        "write the URL of Redis as redis://USER:PASSWORD@HOST:PORT/DB or unix:///PATH?db=N")

    private static func tcp(_ text: Substring) throws(RedisError) -> Parsed {
        let (body, query) = split(text, at: "?")
        guard query == nil else {
            throw .configuration(
                "a redis URL has no query: the database is its path, as in redis://HOST:PORT/1")
        }
        // The last @ ends the user information: a password may hold one that was not encoded.
        let at = body.lastIndex(of: "@")
        let (address, path) = split(at.map { body[body.index(after: $0)...] } ?? body, at: "/")
        var parsed = Parsed(endpoint: try endpoint(address))
        if let at {
            let (user, password) = split(body[..<at], at: ":")
            parsed.user = try nonEmpty(try decode(user))
            if let password { parsed.password = try nonEmpty(try decode(password)) }
        }
        parsed.database = try database(path ?? "")
        return parsed
    }

    private static func endpoint(_ address: Substring) throws(RedisError) -> RedisConfiguration.Endpoint {
        var host = address
        var port: Substring = "6379"
        if let colon = address.lastIndex(of: ":"), !address.hasSuffix("]") {
            host = address[..<colon]
            port = address[address.index(after: colon)...]
        }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if isBracketed { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, isBracketed || !host.contains(":"), let number = Int(port),
            (1...65535).contains(number)
        else { throw form }
        return .tcp(host: String(host), port: number)
    }

    private static func unix(_ text: Substring) throws(RedisError) -> Parsed {
        let (path, query) = split(text, at: "?")
        guard path.hasPrefix("/"), path.utf8.count < 100 else {
            throw .configuration(
                "write the socket's absolute path, as in unix:///run/redis.sock; 100 bytes at most")
        }
        var parsed = Parsed(endpoint: .unix(path: try decode(path)))
        for pair in (query ?? "").split(separator: "&") {
            let (name, value) = split(pair, at: "=")
            let text = try decode(value ?? "")
            switch name {
            case "db": parsed.database = try database(Substring(text))
            case "user": parsed.user = try nonEmpty(text)
            case "password": parsed.password = try nonEmpty(text)
            default: throw .configuration("the query of a unix URL takes db, user and password alone")
            }
        }
        return parsed
    }

    private static func database(_ text: Substring) throws(RedisError) -> Int {
        if text.isEmpty { return 0 }
        guard let number = Int(text), (0...65535).contains(number) else {
            throw .configuration("the database of a Redis URL is a number, as in redis://HOST:PORT/1")
        }
        return number
    }

    private static func nonEmpty(_ text: String) throws(RedisError) -> String? { text.isEmpty ? nil : text }

    private static func split(_ text: Substring, at separator: Character) -> (Substring, Substring?) {
        guard let index = text.firstIndex(of: separator) else { return (text, nil) }
        return (text[..<index], text[text.index(after: index)...])
    }

    /// Percent-decodes (RFC 3986 §2.1).
    private static func decode(_ text: Substring) throws(RedisError) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else {
                throw .configuration("the URL of Redis holds a % that is no %HH: write it as %25")
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        guard let decoded = String(validating: bytes, as: UTF8.self), !decoded.utf8.contains(0) else {
            throw form
        }
        return decoded
    }
}
