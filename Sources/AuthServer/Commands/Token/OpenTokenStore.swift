internal import AuthStore
internal import OAuth

/// The token store of a command: opened, used once, closed.
enum OpenTokenStore {
    /// Lends the store that a configuration names.
    static func lending<Result: Sendable>(
        _ configuration: StoreConfiguration,
        _ body: @Sendable (any TokenStore) async throws(TokenStoreError) -> Result
    ) async throws(TokenStoreError) -> Result {
        throw .unavailable("this build has none")
    }
}
