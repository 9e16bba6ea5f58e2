internal import AuthStore
internal import FoundationEssentials
internal import OAuth

extension CommandContext {
    /// Opens the token store that the settings name, lends it, and closes it.
    func withTokenStore<Result: Sendable>(
        _ body: @Sendable (any TokenStore) async throws(TokenStoreError) -> Result
    ) async throws(CommandError) -> Result {
        let configuration = try StoreConfiguration(settings)
        do throws(TokenStoreError) {
            return try await OpenTokenStore.lending(configuration, now: nowMilliseconds, body)
        } catch {
            throw CommandError(
                .unavailable, error.description,
                hint: configuration.redis == nil
                    ? "check that \(configuration.tokenDatabase) and its folder can be written"
                    : "check --redis, and that the server there is up")
        }
    }

    /// Tells the token store of a client's revocation that the registry has just recorded.
    func tellTokenStore(of client: ClientID, in registry: Registry) async throws(CommandError) {
        let revocations = try storing { () throws(StoreError) in try registry.revocations(at: nowMilliseconds)
        }
        guard let revocation = revocations.first(where: { $0.client == client }) else { return }
        try await tellTokenStore(revocation)
    }

    /// Tells the token store that a client's tokens have ended, so that guards that ask it refuse them at once. An
    /// embedded store that was never made holds no token, and is not made for this.
    func tellTokenStore(_ revocation: ClientRevocation) async throws(CommandError) {
        let configuration = try StoreConfiguration(settings)
        let isThere =
            configuration.redis != nil || FileManager.default.fileExists(atPath: configuration.tokenDatabase)
        guard isThere else { return }
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
