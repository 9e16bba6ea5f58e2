@testable import AuthServer
@testable import Redis

extension FuzzTarget {
    /// URLs of Redis: reading them, and hiding their passwords.
    static let redisURL = FuzzTarget(name: "redis-url") { input in
        let text = input.text
        _ = AuthServer.RedisURL.redacted(text)
        if let parsed = try? Redis.RedisURL(text) { check(parsed, text) }
    }

    private static func check(_ parsed: Redis.RedisURL, _ text: String) {
        demand((0...99999).contains(parsed.database), "database \(parsed.database)")
        guard let again = try? Redis.RedisURL(written(parsed)) else {
            fatalError("\(written(parsed)) does not parse")
        }
        demand(again.endpoint == parsed.endpoint && again.database == parsed.database, "the server changes")
        demand(again.credentials?.user == parsed.credentials?.user, "the user changes")
        demand(again.credentials?.password == parsed.credentials?.password, "the password changes")
        demand(!hasLooseNumbers(text), "\(text.debugDescription) has a number with a sign")
        guard let password = parsed.credentials?.password else { return }
        // Its words, since what divides them may stand anywhere; one that is elsewhere as well cannot be hidden.
        let shown = AuthServer.RedisURL.redacted(text)
        for word in password.split(whereSeparator: { !$0.isASCII || !$0.isLetter })
        where word.utf8.count >= 4 && text.ranges(of: word).count == 1 {
            demand(!shown.contains(word), "\(text.debugDescription) shows its password")
        }
    }

    private static func written(_ parsed: Redis.RedisURL) -> String {
        let credentials = parsed.credentials.map { encoded($0.user ?? "") + ":" + encoded($0.password) + "@" }
        let prefix = parsed.prefix.map { "prefix=" + encoded($0) }
        switch parsed.endpoint {
        case .tcp(let host, let port):
            let host = host.contains(":") ? "[\(encoded(host))]" : encoded(host)
            return "redis://\(credentials ?? "")\(host):\(port)/\(parsed.database)"
                + (prefix.map { "?\($0)" } ?? "")
        case .unix(let path):
            return "unix://\(credentials ?? "")\(encoded(path))?db=\(parsed.database)"
                + (prefix.map { "&\($0)" } ?? "")
        }
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let digits = String(byte, radix: 16)
            return digits.utf8.count == 1 ? "%0" + digits : "%" + digits
        }.joined()
    }

    /// `%+5` is no byte and `:+6379` no port, though Swift reads these as numbers.
    private static func hasLooseNumbers(_ text: String) -> Bool {
        let encoded = text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
            .dropFirst()
        return encoded.contains { rest in
            !(rest.count >= 2 && rest.prefix(2).allSatisfy { Character(Unicode.Scalar($0)).isHexDigit })
        }
    }
}
