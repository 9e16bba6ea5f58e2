public import EventLoop
public import OAuth

/// The embedded token store: one SQLite file, one writer that commits in groups.
///
/// A copy refers to the same store. `reading(on:)` gives a loop a connection of its own for `status`, so that its
/// requests share no lock; this one reads through a lock and can be used on any executor.
public struct SQLiteTokenStore: TokenStore {
    private enum Reader: Sendable {
        case shared(SharedTokenReader)
        case bound(LoopBound<TokenLoop>)
    }

    private let core: SQLiteTokenStoreCore
    private let reader: Reader

    private init(core: SQLiteTokenStoreCore, reader: Reader) {
        self.core = core
        self.reader = reader
    }

    /// Opens a store, makes its file (mode 0600) where it is missing, and starts its threads.
    /// - Parameters:
    ///   - path: the file, by convention the registry's with `-tokens` appended.
    ///   - configuration: how it behaves.
    ///   - onMigration: told how a file of an earlier version is brought up to date, which takes some seconds where
    ///     it holds a million tokens.
    /// - Throws: when the file cannot be opened or made, or is no token store of this version.
    public static func open(
        path: String, configuration: SQLiteTokenStoreConfiguration = SQLiteTokenStoreConfiguration(),
        onMigration: MigrationObserver? = nil
    ) throws(StoreError) -> SQLiteTokenStore {
        let core = try SQLiteTokenStoreCore(
            path: path, configuration: configuration, onMigration: onMigration)
        return SQLiteTokenStore(core: core, reader: .shared(core.sharedReader))
    }

    /// Looks whether a file that is there can be such a store; makes and changes nothing. A missing one can.
    /// - Throws: as `open`, where the file is something else, or of a newer version.
    public static func check(path: String) throws(StoreError) { try TokenFile.check(path: path) }

    /// The same store for the tasks of one loop.
    public func reading(on loop: EventLoop) -> SQLiteTokenStore {
        SQLiteTokenStore(core: core, reader: .bound(LoopBound(TokenLoop(core, loop), loop: loop)))
    }

    /// Returns once the commit that holds the token is as durable as configured.
    public func record(_ token: StoredToken) async throws(TokenStoreError) {
        try await submit(.record(token))
    }

    /// Looks the token up on this value's connection, without waiting for a lock.
    public func status(
        of id: TokenID, client: ClientID, expiringAt end: Int64?
    ) async throws(TokenStoreError) -> TokenStatus {
        switch reader {
        case .shared(let reader): try reader.status(of: id, client: client, expiringAt: end)
        case .bound(let reader): try reader.value.reader.status(of: id, client: client, expiringAt: end)
        }
    }

    /// Deletes the token's row.
    public func revoke(_ id: TokenID, expiringAt end: Int64?) async throws(TokenStoreError) {
        try await submit(.revoke(id, expiringAt: end))
    }

    /// Keeps the moment in the client's one row.
    public func revokeAll(
        of client: ClientID, at milliseconds: Int64, keepFor seconds: Int64
    ) async throws(TokenStoreError) {
        try await submit(
            .revokeAll(client: client, at: milliseconds, keepUntil: milliseconds / 1000 + seconds + 1))
    }

    /// Makes an empty commit: fails when the file cannot be locked for writing.
    public func ping() async throws(TokenStoreError) {
        try await submit(.ping)
    }

    /// Closes this value's connection where somebody removed or replaced a file beside the store's, which can be opened
    /// anew only when all have closed it. To be called once a second, on the loop of a value that is for one.
    /// - Returns: what was lost, for the log, for some seconds; nil where all is well.
    public func look() -> String? {
        switch reader {
        case .shared(let reader): reader.letGoOfLost()
        case .bound(let reader): reader.value.reader.letGoOfLost()
        }
        return core.lossOfSideFile
    }

    /// Waits for the commit that holds the operation.
    private func submit(_ operation: TokenOperation) async throws(TokenStoreError) {
        let outcome = await withCheckedContinuation { waiter in
            if case .bound(let bound) = reader, bound.loop.isCurrent {
                bound.value.add(core.makeRequest(operation, loop: bound.loop, waiter: waiter))
            } else {
                core.enqueue([core.makeRequest(operation, loop: nil, waiter: waiter)])
            }
        }
        try outcome.get()
    }

    /// Does what waits, closes the file and ends the threads; what is asked later is refused.
    public func close() async {
        await core.close()
    }
}
