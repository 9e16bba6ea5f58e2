internal import AccessToken
internal import AuthStore
internal import JOSE
internal import OAuth
internal import OpenSSLCrypto

/// `authserver token issue`.
enum TokenIssue {
    static let client = Flag("client", .value)
    static let resource = Flag("resource", .repeatedValue)
    static let scope = Flag("scope", .value)

    static let command = Command(
        "token issue", usage: usage, flags: [client, resource, scope],
        settings: TokenCommands.settings + [.issuer], surplus: client, body: run)

    private static func run(_ context: CommandContext) async throws(CommandError) -> ExitCode {
        let request = try Request(context)
        // Before anything is read: what is changed from now on ends this token too.
        let known = context.nowMilliseconds
        let registry = try context.registry(.change, masterKey: try context.masterKey())
        try context.requireServersTokenStore(registry)
        let servers = try context.issuerOfTokens(registry)
        let detail = try storing(about: request.client, in: registry) { () throws(StoreError) in
            try registry.client(request.client)
        }
        let decision = try decide(request, of: detail)
        let ring = try storing { () throws(StoreError) in try registry.keyRing() }
        let now = context.nowMilliseconds
        guard let key = ring.signing(at: now) else {
            throw CommandError(
                .notFound, "there is no signing key yet",
                hint: "authserver serve makes the first when it starts, or authserver key rotate")
        }
        let time = IssueTime(now: now, asOf: known, ended: detail.tokensRevokedAt)
        let claims = AccessTokenClaims(
            issuer: servers.issuer.value, audience: decision.audience, clientID: detail.id,
            issuedAt: time.told / 1000, expiresAt: time.told / 1000 + detail.tokenLifetime,
            tokenID: .random(at: now), scopes: decision.scopes)
        let token = try encode(claims, key: key)
        try refusing(detail.id) { () throws(OAuthError) in try TokenSize.check(token, for: decision) }
        let record = StoredToken(
            tokenID: claims.tokenID, clientID: claims.clientID, issuedAtMilliseconds: time.counted,
            expiresAt: claims.expiresAt)
        try await keep(record, claims, in: registry, context)
        if servers.isGuess {
            context.warn(
                "no server has noted its issuer yet: the token is of \(servers.issuer.value); "
                    + "give --issuer where that is another")
        }
        try show(String(decoding: token, as: UTF8.self), claims: claims, context)
        return .ok
    }

    /// Keeps it before anybody has it: no token that an administrator issued is one that the token store does not know,
    /// or the history does not tell of.
    private static func keep(
        _ record: StoredToken, _ claims: AccessTokenClaims, in registry: Registry, _ context: CommandContext
    ) async throws(CommandError) {
        try await context.withTokenStore { store throws(TokenStoreError) in try await store.record(record) }
        try storing { () throws(StoreError) in
            try registry.recordIssue(of: claims, at: context.nowMilliseconds)
        }
    }

    /// What is asked for.
    private struct Request {
        let client: ClientID
        let resources: [ResourceID]
        let scopes: Scopes

        init(_ context: CommandContext) throws(CommandError) {
            guard let id = context.arguments.value(TokenIssue.client) else {
                throw .usage(
                    "--client is missing", hint: "name the client: authserver token issue --client gateway")
            }
            client = try reading(id, as: "client id") { text throws(VocabularyError) in try ClientID(text) }
            var resources: [ResourceID] = []
            for name in context.arguments.values(resource) {
                resources.append(
                    try reading(name, as: "resource id") { text throws(VocabularyError) in
                        try ResourceID(text)
                    })
            }
            self.resources = resources
            scopes = try GrantArgument.scopes(context.arguments.value(scope) ?? "")
        }
    }

    /// Decides as the token endpoint does.
    private static func decide(
        _ request: Request, of client: ClientDetail
    ) throws(CommandError) -> GrantPolicy.Decision {
        guard client.disabledAt == nil else {
            throw CommandError(
                .refused, "client \(client.id) is disabled",
                hint: ShellWord.command("client enable", client.id.value))
        }
        return try refusing(client.id) { () throws(OAuthError) in
            try GrantPolicy.decide(
                held: client.grants, resources: request.resources, requested: request.scopes)
        }
    }

    /// What the token endpoint would refuse, the command refuses in the same words.
    private static func refusing<Result>(
        _ client: ClientID, _ body: () throws(OAuthError) -> Result
    ) throws(CommandError) -> Result {
        do throws(OAuthError) { return try body() } catch {
            throw CommandError(
                .refused, "\(error.code.rawValue): \(error.description)",
                hint: ShellWord.command("client show", client.value) + " lists what it may do")
        }
    }

    private static func encode(_ claims: AccessTokenClaims, key: KeyRing.Key) throws(CommandError) -> [UInt8]
    {
        do throws(CryptoError) {
            let encoder = try AccessTokenEncoder(key: key.privateKey, keyID: key.keyID)
            return try encoder.encode(claims)
        } catch {
            throw CommandError(.failed, "the token could not be signed: \(error)")
        }
    }

    private static func show(
        _ token: String, claims: AccessTokenClaims, _ context: CommandContext
    ) throws(CommandError) {
        let audience = claims.audience.map(\.value)
        context.note(
            "a token for \(audience.joined(separator: ", ")), scope \(claims.scopes), "
                + "until \(TimeText.text(claims.expiresAt * 1000)):")
        try context.emit(
            .members([
                ("access_token", .string(token)), ("token_type", "Bearer"),
                ("expires_in", .integer(claims.expiresAt - claims.issuedAt)),
                ("scope", .string(claims.scopes.description)),
                ("audience", .array(audience.map { .string($0) })),
                ("jti", .string(claims.tokenID.value)),
            ]), text: token + "\n")
    }

    private static let usage = """
        Usage: authserver token issue --client CLIENT [FLAGS]

        Issues a token for a client, as the token endpoint would with its secret: for what it is granted, recorded
        in the token store and in the history, signed with the present key. Whoever can read the database can do
        this: keep it safe.

        Flags:
          --client CLIENT          the client
          --resource RESOURCE      what the token is for (every resource where it holds the scopes); repeatable
          --scope SCOPES           scopes, separated by commas or spaces (those that it holds everywhere there)
          --issuer URL             the server's issuer (AUTHSERVER_ISSUER, or the one that it noted)
          --database FILE          the database (AUTHSERVER_DATABASE, or authserver.db)
          --redis URL              the token store (AUTHSERVER_REDIS, or SQLite beside the database)
          --redis-prefix TEXT      what its keys begin with (auth:)
          --master-key-file FILE   what signing keys are encrypted with, where they are

        Examples:
          authserver token issue --client gateway --resource RESOURCE_ID_BOOK --scope read
          curl -H "Authorization: Bearer $(authserver token issue --client app)" http://127.0.0.1:8080/api/books/1

        """
}

extension ResolvedSettings {
    /// The issuer that tokens name: the one that is given, or that of a server on this machine.
    func issuerOfTokens() throws(CommandError) -> Issuer {
        if let issuer = try issuer() { return issuer }
        let listen = try listenAddress()
        let endsTLS = try text(.tlsCertificate) != nil
        guard listen.isLoopback, listen.port != 0 else {
            throw CommandError(
                .configuration, "the issuer of a server that listens on \(listen) is not known",
                hint: "give the server's --issuer URL")
        }
        return Issuer(loopback: listen, isHTTPS: endsTLS)
    }
}
