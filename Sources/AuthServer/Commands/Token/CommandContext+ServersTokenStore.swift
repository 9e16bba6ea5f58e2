internal import AuthStore
internal import OAuth

/// What commands have to do with the token store of the server, which may be another than they were told of.
extension CommandContext {
    /// Refuses to go on where the server keeps tokens elsewhere than the settings say: the answer would be wrong.
    func requireServersTokenStore(_ registry: Registry) throws(CommandError) {
        guard let servers = try serversTokenStore(registry) else { return }
        let configuration = try StoreConfiguration(settings)
        let ours = try TokenStorePlace(configuration)
        guard servers != ours else { return }
        let place = ours == .sqlite ? AbsolutePath.of(configuration.tokenDatabase) : ours.text
        throw CommandError(
            .refused, "the server keeps tokens in \(servers.text), and not in \(place)",
            hint: hint(from: ours, to: servers))
    }

    /// Whichever of the two is the mistaken one.
    private func hint(from ours: TokenStorePlace, to servers: TokenStorePlace) -> String {
        settingToChange(from: ours, to: servers)
            + "; where that server is the mistaken one, restart the right one or send it SIGHUP: it notes its store "
            + "again"
    }

    private func settingToChange(from ours: TokenStorePlace, to servers: TokenStorePlace) -> String {
        if servers == .sqlite {
            let origin = settings[.redis]?.origin.description(of: .redis) ?? Setting.redis.variable
            return "leave out the URL of Redis, which is from: \(origin)"
        }
        if case .redis(let ourAddress, _) = ours, case .redis(let address, let prefix) = servers,
            ourAddress == address
        {
            return
                "give --redis-prefix \(ShellWord.quoted(prefix)), or set AUTHSERVER_REDIS_PREFIX, as for the server"
        }
        return
            "give the server's --redis URL, or set AUTHSERVER_REDIS, or name its configuration file with --config"
    }

    /// Where the server that was started last keeps tokens; nil where none was.
    private func serversTokenStore(_ registry: Registry) throws(CommandError) -> TokenStorePlace? {
        try storing { () throws(StoreError) in try registry.tokenStore() }.map(TokenStorePlace.init(noted:))
    }

    /// Ends the tokens of a client that gets none any more, and tells the token store.
    ///
    /// The change has ended them already, but it was made a moment before it was committed, and until then a server
    /// could issue: the moment that counts is one after the commit.
    /// - Parameters:
    ///   - client: the client.
    ///   - registry: where that is recorded.
    ///   - isChanged: whether the client was changed, and not as it is before.
    ///   - done: what was done to the client, which holds whatever becomes of the rest.
    /// - Returns: whether the token store knows.
    func endTokens(
        of client: ClientID, in registry: Registry, isChanged: Bool = true, after done: String
    ) async throws(CommandError) -> Bool {
        let revocation = try storing { () throws(StoreError) in
            try isChanged
                ? registry.completeRevocation(of: client, at: nowMilliseconds)
                : registry.recordRevocation(of: client, at: nowMilliseconds)
        }
        return try await tellTokenStore(revocation, registry, after: done)
    }

    /// Says what was done, and tells the token store that a client's tokens have ended, so that guards that ask it
    /// refuse them at once. Where that is another store than the settings name, or one that does not answer, it is
    /// left to the server, which goes by the registry and tells its store as soon as it can.
    /// - Returns: whether the token store knows.
    /// - Throws: when it cannot be told and no server was ever started that will.
    func tellTokenStore(
        _ revocation: ClientRevocation, _ registry: Registry, after done: String
    ) async throws(CommandError) -> Bool {
        let servers = try serversTokenStore(registry)
        if let servers, try servers != TokenStorePlace(StoreConfiguration(settings)) {
            noteEnd(done)
            note("the server tells its token store, \(servers.text), within a second, or when it runs again")
            return false
        }
        do throws(CommandError) {
            try await tell(revocation)
        } catch {
            guard servers != nil else { throw untold(revocation.client, done, error) }
            noteEnd(done)
            note("the token store cannot be told now: \(error.message)")
            note("the registry knows, and the server tells the store as soon as it answers")
            return false
        }
        noteEnd(done)
        return true
    }

    /// Says that tokens have ended, and whom that does not reach.
    func noteEnd(_ done: String) {
        note(done)
        note("guards without a check of the token store accept a token until it expires")
    }

    /// An embedded store that was never made holds no token, and is not made for this.
    private func tell(_ revocation: ClientRevocation) async throws(CommandError) {
        let configuration = try StoreConfiguration(settings)
        guard configuration.hasTokenStore else { return }
        let now = nowMilliseconds
        try await withTokenStore { store throws(TokenStoreError) in try await store.end(revocation, at: now) }
    }

    private func untold(_ client: ClientID, _ done: String, _ error: CommandError) -> CommandError {
        CommandError(
            error.code, "\(done): the registry knows, but the token store cannot be told: \(error.message)",
            hint:
                "a server tells it when it runs; until then guards that ask the token store take the tokens: "
                + "authserver token revoke \(ShellWord.flag(TokenRevoke.client, client.value)) tries again")
    }
}
