internal import OAuth
internal import Redis

/// Where tokens are kept, as the registry notes it and commands name it: no user name and no password.
enum TokenStorePlace: Sendable, Equatable {
    /// Beside the registry.
    case sqlite
    /// Under a prefix in Redis.
    case redis(address: String, prefix: String)
    /// What another version of this program wrote.
    case other(String)

    /// Where these settings say.
    init(_ configuration: StoreConfiguration) throws(CommandError) {
        guard let url = configuration.redis else {
            self = .sqlite
            return
        }
        let (server, keys) = try TokenStores.redis(url, prefix: configuration.redisPrefix)
        self = .redis(address: server.description, prefix: keys.prefix)
    }

    /// Reads what the registry notes.
    init(noted text: String) {
        let separator = text.ranges(of: Self.separator).last
        if text == Self.sqliteText {
            self = .sqlite
        } else if let separator {
            self = .redis(
                address: String(text[..<separator.lowerBound]), prefix: String(text[separator.upperBound...]))
        } else {
            self = .other(text)
        }
    }

    /// What the registry notes.
    var note: String {
        switch self {
        case .sqlite: Self.sqliteText
        case .redis(let address, let prefix): address + Self.separator + prefix
        case .other(let text): text
        }
    }

    /// For a person.
    var text: String {
        switch self {
        case .sqlite: "SQLite beside the database"
        case .redis(let address, let prefix): "\(address) under the prefix \(prefix)"
        case .other(let text): text
        }
    }

    private static let sqliteText = "sqlite"
    private static let separator = " prefix="
}
