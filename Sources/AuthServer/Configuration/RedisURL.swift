/// The URL of the token store in Redis. It may hold a password, so its description hides that.
struct RedisURL: Sendable, Hashable, CustomStringConvertible {
    /// The URL as it was given, for the connection alone.
    let secretValue: String

    init(_ text: String) { secretValue = text }

    /// The URL with `***` in the place of the password.
    var description: String { Self.redacted(secretValue) }

    /// A URL with `***` in the place of its user information's password and of its query's values.
    static func redacted(_ url: String) -> String {
        let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.count == 2 ? "?" + redactedQuery(parts[1]) : ""
        return redactedUser(String(parts[0])) + query
    }

    private static func redactedUser(_ url: String) -> String {
        guard let scheme = url.firstRange(of: "://"), let at = url.lastIndex(of: "@"), scheme.upperBound <= at
        else {
            return url
        }
        let user = url[scheme.upperBound..<at].prefix { $0 != ":" }
        let isNamed = url[scheme.upperBound..<at].contains(":")
        return url[..<scheme.upperBound] + (isNamed ? "\(user):***" : "***") + url[at...]
    }

    private static func redactedQuery(_ query: Substring) -> String {
        query.split(separator: "&").map { pair in
            let name = pair.prefix { $0 != "=" }
            return ["password", "pass"].contains(name.lowercased()) ? "\(name)=***" : String(pair)
        }.joined(separator: "&")
    }
}
