import AuthStore
import EventLoop

/// The token store that all threads share, each through its own connection.
enum TokenStores: Sendable, CustomStringConvertible {
    /// One file, one writer, a reading connection for each thread.
    case sqlite(SQLiteTokenStore, path: String)

    /// A store for the requests of one loop, and how it is let go.
    struct Opened {
        let store: any TokenStore
        let close: () async -> Void
    }

    /// Opens what all threads share.
    static func open(_ configuration: StoreConfiguration) throws(CommandError) -> TokenStores {
        var options = SQLiteTokenStoreConfiguration()
        options.durability = configuration.synchronous == .full ? .full : .normal
        do throws(StoreError) {
            return .sqlite(
                try SQLiteTokenStore.open(path: configuration.tokenDatabase, configuration: options),
                path: configuration.tokenDatabase)
        } catch { throw CommandError(error) }
    }

    /// The store as one loop uses it; on that loop's thread.
    func store(on loop: EventLoop) -> Opened {
        switch self {
        case .sqlite(let store, _): Opened(store: store.reading(on: loop), close: {})
        }
    }

    /// Lets go what all threads share, after they have ended.
    func close() async {
        switch self {
        case .sqlite(let store, _): await store.close()
        }
    }

    /// For the log; no password.
    var description: String {
        switch self {
        case .sqlite(_, let path): "tokens in \(path)"
        }
    }
}
