/// The URL of the token store in Redis. It may hold a password, so its description hides that.
struct RedisURL: Sendable, Hashable, CustomStringConvertible {
    /// The URL as it was given, for the connection alone.
    let secretValue: String

    init(_ text: String) { secretValue = text }

    /// The URL with `***` in the place of the password.
    var description: String { Self.redacted(secretValue) }

    /// A URL with `***` in the place of its password, in its user information or its query. Rather too much is
    /// hidden: all of it where it cannot be told what is a password, as in one that holds `?` and `@` as they are.
    static func redacted(_ url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return "***" }
        let parts = url[scheme.upperBound...].split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.count == 2 ? parts[1] : nil
        guard query?.contains("@") != true, let server = redactedServer(parts[0]) else {
            return url[..<scheme.upperBound] + "***"
        }
        return url[..<scheme.upperBound] + server + (query.map { "?" + redactedQuery($0) } ?? "")
    }

    /// nil where something stands in the place of the port that is none.
    private static func redactedServer(_ text: Substring) -> String? {
        guard let at = text.lastIndex(of: "@") else {
            let authority = text.prefix { $0 != "/" }
            let port = authority.hasSuffix("]") ? "" : authority.drop { $0 != ":" }.dropFirst()
            let isPort = port.allSatisfy { $0.isASCII && $0.isNumber } || authority.hasPrefix("[")
            return isPort ? String(text) : nil
        }
        let user = text[..<at].prefix { $0 != ":" }
        return (user.endIndex == at ? "***" : "\(user):***") + text[at...]
    }

    private static func redactedQuery(_ query: Substring) -> String {
        query.split(separator: "&").map { pair in
            let name = pair.prefix { $0 != "=" }
            return ["password", "pass"].contains(name.lowercased()) ? "\(name)=***" : String(pair)
        }.joined(separator: "&")
    }
}
