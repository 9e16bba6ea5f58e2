internal import OAuth
internal import Synchronization

/// A reader for any thread, one at a time.
final class SharedTokenReader: Sendable {
    private let reader: Mutex<TokenReader>

    init(path: String, now: @escaping @Sendable () -> Milliseconds) {
        reader = Mutex(TokenReader(path: path, now: now))
    }

    func status(
        of id: TokenID, client: ClientID, expiringAt end: Int64?
    ) throws(TokenStoreError) -> TokenStatus {
        try reader.withLock { reader throws(TokenStoreError) in
            try reader.status(of: id, client: client, expiringAt: end)
        }
    }

    /// Closes what was lost.
    func letGoOfLost() { reader.withLock { $0.letGoOfLost() } }
}
