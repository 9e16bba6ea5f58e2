internal import AuthStore
internal import JOSE
internal import OAuth
internal import OperatingSystem

/// `authserver history`.
enum HistoryCommand {
    static let client = Flag("client", .value)
    static let resource = Flag("resource", .value)
    static let since = Flag("since", .value)
    static let limit = Flag("limit", .value)

    private static let usualLimit = 50
    private static let limits = 1...100_000

    static let command = Command(
        "history", usage: usage, flags: [client, resource, since, limit], settings: [.database],
        surplus: client
    ) { context throws(CommandError) in
        let request = try Request(context)
        let registry = try context.registry(.read)
        // One more than asked for: whether there are others is worth to be known.
        let found = try storing { () throws(StoreError) in
            try registry.changes(
                about: request.client, at: request.resource, since: request.since, limit: request.limit + 1)
        }
        let changes = Array(found.prefix(request.limit).reversed())
        let isCut = found.count > request.limit
        if isCut {
            context.note("the latest \(request.limit); earlier ones are left out: --limit N shows more")
        }
        var table = TextTable("NUMBER", "TIME", "WHO", "WHAT", "OBJECT", "DETAIL")
        for change in changes {
            table.add(
                String(change.number), TimeText.text(change.moment), change.who, change.what,
                change.objectText,
                change.detailText)
        }
        try context.emit(
            .members([("changes", .array(changes.map(\.document))), ("earlier_left_out", .bool(isCut))]),
            table: table, whenEmpty: "no such change is recorded")
        return .ok
    }

    /// What is asked for.
    private struct Request {
        let client: ClientID?
        let resource: ResourceID?
        let since: Milliseconds?
        let limit: Int

        init(_ context: CommandContext) throws(CommandError) {
            let arguments = context.arguments
            client = try arguments.value(HistoryCommand.client).map { text throws(CommandError) in
                try reading(text, as: "client id") { text throws(VocabularyError) in try ClientID(text) }
            }
            resource = try arguments.value(HistoryCommand.resource).map { text throws(CommandError) in
                try reading(text, as: "resource id") { text throws(VocabularyError) in try ResourceID(text) }
            }
            since = try arguments.value(HistoryCommand.since).map { text throws(CommandError) in
                try moment(text, before: context.now)
            }
            limit = try arguments.value(HistoryCommand.limit).map(Self.limit) ?? usualLimit
        }

        private static func limit(_ text: String) throws(CommandError) -> Int {
            guard let limit = Int(text), limits.contains(limit) else {
                throw .usage(
                    "--limit: \(Printable.quoted(text)) is not possible",
                    hint: "write a number from \(limits.lowerBound) to \(limits.upperBound)")
            }
            return limit
        }
    }

    /// A moment as this command prints it, or one that so much time ago was.
    private static func moment(_ text: String, before now: Int64) throws(CommandError) -> Milliseconds {
        if let seconds = UniversalTime.seconds(text) { return seconds * 1000 }
        if let seconds = DurationText.seconds(text) { return (now - seconds) * 1000 }
        throw .usage(
            "\(since.spelling): \(Printable.quoted(text)) is no time",
            hint: "write how long ago, such as 30m, 24h or 7d, or a time in UTC, such as 2026-01-31 or "
                + "2026-01-31T12:00:00Z")
    }

    private static let usage = """
        Usage: authserver history [FLAGS]

        Lists who changed the registry, what and when, the latest last; and which tokens were issued and revoked by
        `authserver token`. The tokens of clients are in the server's log. Kept for 400 days. Whoever may write to the
        database can change it past this record.

        Flags:
          --client CLIENT       only what was done to this client, be it there or not
          --resource RESOURCE   only what was done at this resource, be it there or not
          --since TIME          only what was done since: 30m, 24h or 7d ago, or since a time in UTC such as
                                2026-01-31 or 2026-01-31T12:00:00Z
          --limit N             how many at most, the latest of them (50)
          --database FILE       the database (AUTHSERVER_DATABASE, or authserver.db)

        Examples:
          authserver history
          authserver history --client gateway --since 7d
          authserver history --limit 100000 --json | jq -r '.changes[] | select(.what == "client.disable") | .who'

        """
}
