/// The URL of the token store in Redis. It may hold a password, so its description hides that.
struct RedisURL: Sendable, Hashable, CustomStringConvertible {
    /// The URL as it was given, for the connection alone.
    let secretValue: String

    init(_ text: String) { secretValue = text }

    /// The URL with `***` in the place of the password.
    var description: String { Self.redacted(secretValue) }

    /// A URL with `***` in the place of its user information's password and of passwords in its query. What stands
    /// before the last `@` is taken as user information, whatever it holds: rather too much is hidden.
    static func redacted(_ url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return "***" }
        let rest = url[scheme.upperBound...]
        guard let at = rest.lastIndex(of: "@") else { return url[..<scheme.upperBound] + redactedQuery(rest) }
        let user = rest[..<at].prefix { $0 != ":" }
        let shown = user.endIndex == at ? "***" : "\(user):***"
        return url[..<scheme.upperBound] + shown + redactedQuery(rest[at...])
    }

    private static func redactedQuery(_ text: Substring) -> String {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return String(text) }
        let pairs = parts[1].split(separator: "&").map { pair in
            let name = pair.prefix { $0 != "=" }
            return ["password", "pass"].contains(name.lowercased()) ? "\(name)=***" : String(pair)
        }
        return "\(parts[0])?" + pairs.joined(separator: "&")
    }
}
