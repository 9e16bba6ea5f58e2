internal import AuthStore
internal import OAuth

/// The token store of a command: opened, used once, closed.
enum OpenTokenStore {
    /// Lends the store that a configuration names.
    /// - Parameter now: the moment that expiry is judged by.
    static func lending<Result: Sendable>(
        _ configuration: StoreConfiguration, now: Milliseconds,
        _ body: @Sendable (any TokenStore) async throws(TokenStoreError) -> Result
    ) async throws(TokenStoreError) -> Result {
        guard configuration.redis == nil else { throw .unavailable("this build has no Redis") }
        return try await lendingEmbedded(configuration, now: now, body)
    }

    private static func lendingEmbedded<Result: Sendable>(
        _ configuration: StoreConfiguration, now: Milliseconds,
        _ body: @Sendable (any TokenStore) async throws(TokenStoreError) -> Result
    ) async throws(TokenStoreError) -> Result {
        let options = SQLiteTokenStoreConfiguration(
            durability: configuration.synchronous == .full ? .full : .normal, deadline: .seconds(5),
            now: { now })
        let store: SQLiteTokenStore
        do throws(StoreError) {
            store = try SQLiteTokenStore.open(path: configuration.tokenDatabase, configuration: options)
        } catch {
            throw .unavailable(error.description)
        }
        let result = await outcome { () throws(TokenStoreError) in try await body(store) }
        await store.close()
        return try result.get()
    }

    /// How a call ended, so that the store can be closed before that is passed on.
    private static func outcome<Success: Sendable>(
        _ body: () async throws(TokenStoreError) -> Success
    ) async -> Result<Success, TokenStoreError> {
        do throws(TokenStoreError) { return .success(try await body()) } catch { return .failure(error) }
    }
}
