internal import AuthStore
internal import EventLoop
internal import OAuth

extension CommandContext {
    /// Opens the token store that the settings name, on a loop of its own, lends it, and closes it.
    func withTokenStore<Success: Sendable>(
        _ body: @escaping @Sendable (any TokenStore) async throws(TokenStoreError) -> Success
    ) async throws(CommandError) -> Success {
        let configuration = try StoreConfiguration(settings)
        let stores = try TokenStores.open(configuration, onMigration: migrationObserver)
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
            // The reason of a store says itself what is not available.
            let reason = if case .unavailable(let reason) = error { reason } else { error.description }
            throw CommandError(
                .unavailable, reason,
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
}

/// How a call ended, so that what it used can be closed before that is passed on.
private func outcome<Success>(
    _ body: () async throws(TokenStoreError) -> Success
) async -> Result<Success, TokenStoreError> {
    do throws(TokenStoreError) { return .success(try await body()) } catch { return .failure(error) }
}
