internal import AccessToken
internal import AuthStore
internal import JOSE
internal import OAuth

/// `authserver token inspect`.
enum TokenInspect {
    static let command = Command(
        "token inspect", usage: usage, settings: TokenCommands.settings + [.issuer],
        positionals: [Positional("TOKEN", .optional)], body: run)

    private static func run(_ context: CommandContext) async throws(CommandError) -> ExitCode {
        let text = try TokenArgument.read(context.arguments.positional(0) ?? "-", context.console)
        let token: UnverifiedAccessToken
        do throws(TokenInspection.Reason) {
            token = try TokenInspection.read(text)
        } catch {
            return try show(Finding(reason: error.text), context)
        }
        return try show(try await inspect(token, context), context)
    }

    /// What was found out about a token.
    private struct Finding {
        /// Why it is not active; nil where it is.
        var reason: String?
        /// What it says, where it can be read.
        var members: JSONObject?
        /// Whether this server signed that.
        var isVerified = false
    }

    private static func inspect(
        _ token: UnverifiedAccessToken, _ context: CommandContext
    ) async throws(CommandError) -> Finding {
        let registry = try context.registry(.read, masterKey: try context.masterKey())
        try context.requireServersTokenStore(registry)
        let issuer = try context.issuerOfTokens(registry).issuer
        let now = context.nowMilliseconds
        let (ring, client, revokedAt) = try storing { () throws(StoreError) in
            let revocations = try registry.revocations(at: now)
            return (
                try registry.keyRing(), try registry.clientIfThere(token.claims.clientID),
                revocations.first { $0.client == token.claims.clientID }?.revokedAt
            )
        }
        // Also of one that has expired: who wrote it is another question than whether it is active.
        let isSigned = TokenInspection.isSigned(token, ring: ring, now: now)
        var finding = Finding(members: token.members, isVerified: isSigned)
        do throws(TokenInspection.Reason) {
            let verified = try TokenInspection.verify(token, issuer: issuer, ring: ring, now: now)
            try TokenInspection.check(verified.claims, client: client, revokedAt: revokedAt)
        } catch {
            finding.reason = error.text
            return finding
        }
        let claims = token.claims
        let status = try await context.withTokenStore { store throws(TokenStoreError) in
            try await store.status(
                of: claims.tokenID, client: claims.clientID, expiringAt: claims.expiresAt)
        }
        finding.reason = TokenInspection.reason(status)
        return finding
    }

    private static func show(_ finding: Finding, _ context: CommandContext) throws(CommandError) -> ExitCode {
        var table = TextTable("FIELD", "VALUE")
        table.add("status", finding.reason == nil ? "active" : "inactive")
        if let reason = finding.reason { table.add("reason", reason) }
        if let members = finding.members {
            table.add(
                "signature", finding.isVerified ? "verified" : "not verified: anybody may have written this")
            for member in members.members { table.add(member.name, text(of: member)) }
        }
        try context.emit(document(finding), table: table, whenEmpty: "")
        return finding.reason == nil ? .ok : .failed
    }

    private static func document(_ finding: Finding) -> JSONValue {
        .members([
            ("active", .bool(finding.reason == nil)), ("reason", finding.reason.map { .string($0) } ?? .null),
            ("verified", .bool(finding.isVerified)), ("claims", finding.members.map { .object($0) } ?? .null),
        ])
    }

    /// A claim for a person: times as such.
    private static func text(of member: JSONObject.Member) -> String {
        switch member.value {
        case .string(let text): text
        case .integer(let seconds) where ["iat", "exp", "nbf"].contains(member.name):
            (0...253_402_300_799).contains(seconds) ? TimeText.text(seconds * 1000) : String(seconds)
        default: String(decoding: JSON.serialize(member.value), as: UTF8.self)
        }
    }

    private static let usage = """
        Usage: authserver token inspect [TOKEN|-] [FLAGS]

        Says what a token holds, whether it is active, and why not: signature, issuer, times, the client and its
        revocations, and the token store. Without an argument, or with -, the token is read from standard input,
        so that it is not seen in the process list. The exit status is 1 for a token that is not active.

        Flags:
          --issuer URL             the server's issuer (AUTHSERVER_ISSUER, or the one that it noted)
          --database FILE          the database (AUTHSERVER_DATABASE, or authserver.db)
          --redis URL              the token store (AUTHSERVER_REDIS, or SQLite beside the database)
          --redis-prefix TEXT      what its keys begin with (auth:)
          --master-key-file FILE   what signing keys are encrypted with, where they are

        Examples:
          authserver token inspect - <token.txt
          authserver token inspect --json <token.txt | jq .claims

        """
}

extension Registry {
    /// A client, or nil where there is none of that name.
    fileprivate func clientIfThere(_ id: ClientID) throws(StoreError) -> ClientDetail? {
        do throws(StoreError) {
            return try client(id)
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }
}
