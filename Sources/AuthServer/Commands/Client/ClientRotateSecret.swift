internal import AuthStore
internal import JOSE
internal import OAuth

/// `authserver client rotate-secret`.
enum ClientRotateSecret {
    static let overlap = Flag("overlap", .value)
    /// As the registry has it, in seconds.
    private static let longestOverlap: Int64 = 31_536_000

    static let command = Command(
        "client rotate-secret", usage: usage, flags: [overlap] + NewSecret.flags, settings: [.database],
        positionals: [Positional("CLIENT")], body: run)

    private static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let client = try context.clientID(0)
        let overlapSeconds = try context.arguments.value(overlap).map(overlapSeconds)
        let registry = try context.registry(.change)
        // A client that is not there is an error before a secret is read.
        let before = try storing(about: client, in: registry) { () throws(StoreError) in
            try registry.client(client)
        }
        if overlapSeconds == nil { try confirmEnd(of: before, context) }
        let secret = try NewSecret.make(context)
        let verifier = secret.verifier()
        let now = context.nowMilliseconds
        try storing { () throws(StoreError) in
            try registry.rotateSecret(of: client, to: verifier, overlap: overlapSeconds ?? 0, at: now)
        }
        let end = now + (overlapSeconds ?? 0) * 1000
        noteCutOverlap(of: before, at: now, end: end, context)
        do throws(CommandError) {
            try show(secret.revealed(), of: client, oldEnd: end, context)
        } catch {
            throw CommandError(
                .failed, "\(error.message), and nobody saw the new secret of \(client)",
                hint: "rotate it again: "
                    + ShellWord.command(
                        "client rotate-secret", client.value,
                        flags: ShellWord.flag(overlap, context.arguments.value(overlap) ?? "0")))
        }
        return .ok
    }

    /// How long the older secrets are still good. Only here is a number without a unit refused: `24` would end them
    /// within half a minute where a day was meant.
    @Sendable private static func overlapSeconds(_ text: String) throws(CommandError) -> Int64 {
        let seconds = try seconds(text, of: overlap)
        guard seconds <= longestOverlap else {
            throw .usage(
                "--overlap: \(Printable.quoted(text)) is not possible",
                hint: "secrets may overlap for up to a year")
        }
        guard seconds == 0 || text.last?.isLetter == true else {
            throw .usage(
                "--overlap: \(Printable.quoted(text)) has no unit",
                hint: "write \(text)h, \(text)m or \(text)s for hours, minutes or seconds")
        }
        return seconds
    }

    /// Asks where good secrets end at once and that was not said: their client gets no token until it has the new one.
    private static func confirmEnd(
        of client: ClientDetail, _ context: CommandContext
    ) throws(CommandError) {
        let now = context.nowMilliseconds
        guard client.secrets.contains(where: { $0.isValid(at: now) }) else { return }
        guard context.canAsk else {
            throw .usage(
                "client \(client.id) has a good secret, and it is not said how long that stays good",
                hint: "give \(overlap.spelling) 24h, or \(overlap.spelling) 0 to end it at once")
        }
        try context.confirm(
            "ending the good secrets of client \(client.id) at once, which \(overlap.spelling) 24h would keep for a day"
        )
    }

    /// An overlap that still ran was promised to somebody.
    private static func noteCutOverlap(
        of client: ClientDetail, at now: Milliseconds, end: Milliseconds, _ context: CommandContext
    ) {
        let cut = client.secrets.compactMap(\.expiresAt).filter { $0 > now && $0 > end }.max()
        guard let cut else { return }
        context.note(
            "the overlap of an earlier rotation ran until \(TimeText.text(cut)) and is cut short: a secret that was "
                + "replaced then " + (end <= now ? "has ended" : "ends at \(TimeText.text(end))"))
    }

    private static func show(
        _ secret: String?, of client: ClientID, oldEnd: Milliseconds, _ context: CommandContext
    ) throws(CommandError) {
        let left = oldEnd - context.nowMilliseconds
        let (isOver, overlap) = (left <= 0, DurationText.text(seconds: max(left + 999, 0) / 1000))
        context.note(
            "the older secrets of \(client) "
                + (isOver ? "have ended" : "are good until \(TimeText.text(oldEnd)), for \(overlap)")
                + (secret == nil ? "" : "; this is the new one, which is shown this once:"))
        if secret == nil { context.noteBroughtSecret() }
        var members: [(String, JSONValue)] = [
            ("client_id", .string(client.value)), ("older_secrets_expire_at", .integer(oldEnd / 1000)),
        ]
        if let secret { members.append(("client_secret", .string(secret))) }
        try context.emit(.members(members), text: secret.map { $0 + "\n" } ?? "")
    }

    private static let usage = """
        Usage: authserver client rotate-secret CLIENT [FLAGS]

        Gives a client a new secret and prints it once. The older ones end after an overlap in which the client can
        be told the new one, or at once; an earlier overlap that lasts longer is cut short. Tokens stay good.

        Flags:
          --overlap TIME        how long the older secrets are still good, with a unit: 30s, 15m, 24h, 7d; or 0, to
                                end them at once. Needed where one of them is good, but on a terminal, which asks
          --secret-stdin        take the secret from standard input, without its line end; it is not printed;
                                one such secret makes every failed authentication of every client slow (40 ms)
          --allow-weak-secret   also take one of fewer than 16 characters
          --database FILE       the database (AUTHSERVER_DATABASE, or authserver.db)

        Examples:
          authserver client rotate-secret gateway --overlap 24h
          secret=$(authserver client rotate-secret gateway --overlap 0 --json | jq -r .client_secret)

        """
}
