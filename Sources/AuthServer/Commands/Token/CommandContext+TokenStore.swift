internal import AuthStore
internal import EventLoop
internal import FoundationEssentials
internal import OAuth

extension CommandContext {
    /// Opens the token store that the settings name, on a loop of its own, lends it, and closes it.
    func withTokenStore<Success: Sendable>(
        _ body: @escaping @Sendable (any TokenStore) async throws(TokenStoreError) -> Success
    ) async throws(CommandError) -> Success {
        let configuration = try StoreConfiguration(settings)
        let stores = try TokenStores.open(configuration)
        let running = try Self.startLoop()
        let task = Task(executorPreference: running.loop) { () async -> Result<Success, TokenStoreError> in
            let opened = stores.store(on: running.loop)
            let result = await outcome { () async throws(TokenStoreError) in try await body(opened.store) }
            opened.close()
            return result
        }
        let result = await task.value
        await stores.close()
        running.loop.stop()
        running.join()
        do throws(TokenStoreError) {
            return try result.get()
        } catch {
            throw CommandError(
                .unavailable, error.description,
                hint: configuration.redis == nil
                    ? "check that \(configuration.tokenDatabase) and its folder can be written"
                    : "check --redis, and that the server there is up")
        }
    }

    private static func startLoop() throws(CommandError) -> EventLoop.Running {
        do throws(EventLoopError) { return try EventLoop.start(name: "token-store") } catch {
            throw CommandError(.failed, error.description)
        }
    }

    /// Ends the tokens of a client that gets none any more, and tells the token store.
    ///
    /// The change has ended them already, but it was made a moment before it was committed, and until then a server
    /// could issue: the moment that counts is one after the commit.
    func endTokens(of client: ClientID, in registry: Registry) async throws(CommandError) {
        let revocation = try storing { () throws(StoreError) in
            try registry.recordRevocation(of: client, at: nowMilliseconds)
        }
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

/// How a call ended, so that what it used can be closed before that is passed on.
private func outcome<Success>(
    _ body: () async throws(TokenStoreError) -> Success
) async -> Result<Success, TokenStoreError> {
    do throws(TokenStoreError) { return .success(try await body()) } catch { return .failure(error) }
}
