import AuthStore
import EventLoop
import OAuth
import Redis

/// The token store that all threads share, each through its own connection.
enum TokenStores: Sendable, CustomStringConvertible {
    /// One file, one writer, a reading connection for each thread.
    case sqlite(SQLiteTokenStore, path: String)
    /// A pipelined connection for each thread.
    case redis(RedisConfiguration, TokenKeys)

    /// A store for the requests of one loop, and how it is let go.
    struct Opened {
        let store: any TokenStore
        /// Counts that all servers with this store share; nil where the store is of this machine.
        let failureCounts: RedisFailureCounts?
        /// Looks whether it is in order, as far as nothing else does; to be called once a second.
        let look: () -> Void
        let close: () -> Void
    }

    /// Opens what all threads share.
    /// - Parameter onMigration: told how a file of an earlier version is brought up to date.
    static func open(
        _ configuration: StoreConfiguration, onMigration: MigrationObserver?
    ) throws(CommandError) -> TokenStores {
        if let url = configuration.redis {
            let (server, keys) = try redis(url, prefix: configuration.redisPrefix)
            return .redis(server, keys)
        }
        var options = SQLiteTokenStoreConfiguration()
        options.durability = configuration.synchronous == .full ? .full : .normal
        let path = configuration.tokenDatabase
        return try RegistryFile.using(path) { () throws(StoreError) in
            .sqlite(
                try SQLiteTokenStore.open(path: path, configuration: options, onMigration: onMigration),
                path: path)
        }
    }

    /// Refuses a file that can be no token store, before anything is made for its sake.
    static func check(_ configuration: StoreConfiguration) throws(CommandError) {
        guard configuration.redis == nil else { return }
        let path = configuration.tokenDatabase
        try RegistryFile.check(path, .readWrite)
        try RegistryFile.using(path) { () throws(StoreError) in try SQLiteTokenStore.check(path: path) }
    }

    /// The server that a URL names, and how keys are named there.
    static func redis(
        _ url: RedisURL, prefix: String
    ) throws(CommandError) -> (server: RedisConfiguration, keys: TokenKeys) {
        do throws(RedisError) {
            let configuration = try RedisConfiguration(url: url.secretValue)
            return (configuration, TokenKeys(prefix: configuration.keyPrefix ?? prefix))
        } catch {
            throw CommandError(.configuration, "the URL of Redis cannot be used", hint: error.description)
        }
    }

    /// The store as one loop uses it; on that loop's thread.
    /// - Parameter onChange: told why the store is lost, and nil when it is back.
    func store(on loop: EventLoop, onChange: @escaping (String?) -> Void = { _ in }) -> Opened {
        switch self {
        case .sqlite(let store, _):
            let store = store.reading(on: loop)
            var told: String?
            return Opened(
                store: store, failureCounts: nil,
                look: {
                    let trouble = store.look()
                    if trouble != told { onChange(trouble) }
                    told = trouble
                },
                close: {})
        case .redis(let configuration, let keys):
            let connection = RedisConnection(loop: loop, configuration: configuration)
            connection.onChange = { onChange($0?.description) }
            return Opened(
                store: RedisTokenStore(connection, keys: keys),
                failureCounts: RedisFailureCounts(connection, keys: keys),
                look: {},
                close: { connection.close() })
        }
    }

    /// Lets go what all threads share, after they have ended.
    func close() async {
        if case .sqlite(let store, _) = self { await store.close() }
    }

    /// For the log; no password.
    var description: String {
        switch self {
        case .sqlite(_, let path): "tokens in \(AbsolutePath.of(path))"
        case .redis(let configuration, let keys):
            "tokens in \(configuration.description) under the prefix \(keys.prefix)"
        }
    }
}
