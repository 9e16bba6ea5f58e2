internal import AuthStore
internal import OAuth

extension CommandContext {
    /// Opens the token store that the settings name, lends it, and closes it.
    func withTokenStore<Result: Sendable>(
        _ body: @Sendable (any TokenStore) async throws(TokenStoreError) -> Result
    ) async throws(CommandError) -> Result {
        let configuration = try StoreConfiguration(settings)
        do throws(TokenStoreError) {
            return try await OpenTokenStore.lending(configuration, body)
        } catch {
            throw CommandError(
                .unavailable, error.description,
                hint: configuration.redis == nil
                    ? "check that \(configuration.tokenDatabase) and its folder can be written"
                    : "check --redis, and that the server there is up")
        }
    }

    /// Tells the token store that a client's tokens have ended, so that guards that ask it refuse them at once.
    func tellTokenStore(_ revocation: ClientRevocation) async throws(CommandError) {
        // A moment that is over a whole second away is rounded up, never down.
        let seconds = max(1, (revocation.keepUntil - nowMilliseconds + 999) / 1000)
        do throws(CommandError) {
            try await withTokenStore { store throws(TokenStoreError) in
                try await store.revokeAll(of: revocation.client, at: revocation.revokedAt, keepFor: seconds)
            }
        } catch {
            throw CommandError(
                error.code,
                "the registry knows that the tokens of \(revocation.client) have ended, but "
                    + error.message,
                hint: "guards that ask the token store take them until this succeeds: "
                    + "authserver token revoke --client \(revocation.client)")
        }
    }
}
