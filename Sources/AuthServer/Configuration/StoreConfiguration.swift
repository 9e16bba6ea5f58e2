internal import OAuth
internal import OperatingSystem
internal import Redis

/// Where clients, keys and tokens are kept.
struct StoreConfiguration: Sendable, Hashable {
    /// How SQLite waits for the disk.
    enum Synchronous: String, Sendable, CaseIterable {
        /// A commit survives a power failure.
        case full
        /// A commit survives a crash of the process; the last ones may be lost in a power failure.
        case normal
    }

    /// The file of the registry.
    let database: String
    /// The token store in Redis; nil for the SQLite file beside the registry.
    let redis: RedisURL?
    /// What the names of keys in Redis begin with.
    let redisPrefix: String
    /// How SQLite waits for the disk.
    let synchronous: Synchronous
    /// The file with the key that signing keys are encrypted under; nil to keep them as they are.
    private(set) var masterKeyFile: String?

    /// Reads and checks the settings.
    init(_ settings: ResolvedSettings) throws(CommandError) {
        database = try settings.value(.database, expecting: "name a file") { $0.isEmpty ? nil : $0 }
        redis = try settings.text(.redis).map(RedisURL.init)
        redisPrefix = try settings.value(
            .redisPrefix,
            expecting:
                "write 1 to 64 visible ASCII characters, or leave it out for \(TokenKeys.defaultPrefix)"
        ) { text in RedisConfiguration.isKeyPrefix(text) ? text : nil }
        synchronous = try settings.value(
            .sqliteSynchronous, expecting: "write full or normal", parse: Synchronous.init)
        masterKeyFile = try settings.text(.masterKeyFile)
    }

    /// The file of the SQLite token store.
    var tokenDatabase: String { database + "-tokens" }

    /// What a running server that is given another configuration keeps: all but the file of the master key.
    func followed(by next: StoreConfiguration) -> StoreConfiguration {
        var result = self
        result.masterKeyFile = next.masterKeyFile
        return result
    }

    /// Whether there is a token store that may hold something: an embedded one may never have been made.
    var hasTokenStore: Bool { redis != nil || Path.isThere(tokenDatabase) }
}
