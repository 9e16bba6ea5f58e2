internal import AuthStore
internal import JOSE
internal import OpenSSLCrypto

/// `authserver key list`.
enum KeyList {
    static let command = Command("key list", usage: usage, settings: [.database]) {
        context throws(CommandError) in
        let registry = try context.registry(.read)
        let schedule = try storing { () throws(StoreError) in try registry.keySchedule() }
        let now = context.nowMilliseconds
        var table = TextTable("KID", "ALG", "STATUS", "CREATED", "STORED")
        for key in schedule.keys {
            let status = schedule.status(of: key, at: now)
            table.add(
                key.keyID, key.algorithm.rawValue, status.text, TimeText.text(key.createdAt), key.storage)
        }
        try context.emit(
            .members([("keys", .array(schedule.keys.map { $0.document(in: schedule, at: now) }))]),
            table: table,
            whenEmpty: "there is no key yet: authserver serve makes the first, or authserver key rotate")
        return .ok
    }

    private static let usage = """
        Usage: authserver key list [FLAGS]

        Lists the signing keys, and where each stands:
          signing     signs, and is published
          waiting     is published, and signs when guards have had the time to see it
          published   signed before, and is published until its last token has ended
          ended       signed before, and is published no more
          retired     was taken out of use; its private part is erased
        Where the key that signs is retired, the newest of those that signed before signs again.

        Flags:
          --database FILE   the database (AUTHSERVER_DATABASE, or authserver.db)

        Examples:
          authserver key list
          authserver key list --json

        """
}

extension KeySchedule.Status {
    /// The word for it, which `--json` prints.
    var word: String {
        switch self {
        case .pending: "waiting"
        case .signing: "signing"
        case .superseded: "published"
        case .ended: "ended"
        case .retired: "retired"
        }
    }

    /// The word, and until when it holds.
    var text: String { until.map { "\(word) until \(TimeText.text($0))" } ?? word }

    /// Until when it holds, where that is known.
    var until: Milliseconds? {
        switch self {
        case .pending(let activatesAt): activatesAt
        case .superseded(let publishedUntil): publishedUntil
        case .signing, .ended, .retired: nil
        }
    }
}

extension SigningKeyDetail {
    /// How its private part is stored.
    fileprivate var storage: String {
        if retiredAt != nil { return "erased" }
        return isEncrypted ? "encrypted" : "plain"
    }

    /// All of it for a program; times in seconds since 1970.
    /// - Parameter retired: the keys that it made superfluous, where that is to be said.
    func document(
        in schedule: KeySchedule, at now: Milliseconds, retired: [String]? = nil
    ) -> JSONValue {
        let status = schedule.status(of: self, at: now)
        let members: [(String, JSONValue)] = [
            ("kid", .string(keyID)), ("alg", .string(algorithm.rawValue)), ("status", .string(status.word)),
            ("until", .seconds(status.until)), ("created_at", .seconds(createdAt)),
            ("activates_at", .seconds(activatesAt)), ("retired_at", .seconds(retiredAt)),
            ("encrypted", .bool(isEncrypted)),
        ]
        let more = retired.map { kids in ("retired_keys", JSONValue.array(kids.map { .string($0) })) }
        return .members(members + (more.map { [$0] } ?? []))
    }
}
