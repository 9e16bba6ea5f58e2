internal import AuthStore
internal import JOSE
internal import OpenSSLCrypto

/// `authserver key rotate`.
enum KeyRotate {
    static let algorithm = Flag("algorithm", .value)
    static let immediately = Flag("now", .toggle)
    /// Within how many milliseconds a guard looks once for keys that it does not know: its `keyCooldown`, if it was
    /// given no other.
    private static let guardsCooldown: Int64 = 10_000

    static let command = Command(
        "key rotate", usage: usage, flags: [algorithm, immediately],
        settings: [.database, .masterKeyFile, .jwksMaxAge], body: run)

    private static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let algorithm = try context.arguments.value(algorithm).map(parse)
        let maxAge = try context.settings.jwksMaxAge()
        let isGiven = context.settings[.jwksMaxAge]?.origin != .preset
        let registry = try context.registry(.change, masterKey: try context.masterKey())
        let now = context.nowMilliseconds
        let isImmediate = context.arguments.has(immediately)
        let (before, key, schedule, publication, isServed) = try storing { () throws(StoreError) in
            try registry.transaction { () throws(StoreError) in
                let (before, server) = (try registry.keySchedule(), try registry.server())
                let publication = KeyPublication(
                    given: isGiven ? maxAge : nil, kept: server?.secondsKept(at: now), preset: maxAge)
                let key = try registry.rotateSigningKey(
                    to: algorithm, publishedFor: publication.seconds, immediately: isImmediate, at: now)
                return (before, key, try registry.keySchedule(), publication, server != nil)
            }
        }
        noteStart(of: key, publication, asked: maxAge, at: now, context)
        let retired = isImmediate ? before.waiting(at: now) : []
        for key in retired {
            context.note("key \(key.keyID), which waited to sign and never did, is retired")
        }
        if isServed, key.activatesAt <= now, let last = before.lastToSign(by: now) {
            warnOfCooldown(since: last, at: now, context)
        }
        try context.emit(
            key.document(in: schedule, at: now, retired: isImmediate ? retired.map(\.keyID) : nil),
            text: key.keyID + "\n")
        return .ok
    }

    /// Says when the new key signs, and why not earlier.
    private static func noteStart(
        of key: SigningKeyDetail, _ publication: KeyPublication, asked: Int64, at now: Milliseconds,
        _ context: CommandContext
    ) {
        guard key.activatesAt > now else {
            return context.note(
                "the new key is published and signs now; guards that keep older keys fetch it when they meet it"
            )
        }
        context.note("the new key is published now and signs from \(TimeText.text(key.activatesAt)) on")
        guard publication.isProlonged else { return }
        context.note(
            "guards may keep the server's key set for \(DurationText.text(seconds: publication.seconds)), "
                + "which is longer than \(DurationText.text(seconds: asked)): the key waits for that")
    }

    /// Says that guards will not know the new key at once, where they may just have looked for the one before it.
    private static func warnOfCooldown(
        since key: SigningKeyDetail, at now: Milliseconds, _ context: CommandContext
    ) {
        let age = now - key.createdAt
        guard (0..<guardsCooldown).contains(age) else { return }
        context.warn(
            "guards may answer 401 to new tokens for up to \((guardsCooldown - age + 999) / 1000)s: a guard looks for "
                + "keys that it does not know once in \(guardsCooldown / 1000)s, and key \(key.keyID) was made "
                + "\(age / 1000)s ago")
    }

    /// An algorithm by its `alg` name; case does not matter here.
    @Sendable private static func parse(_ text: String) throws(CommandError) -> SignatureAlgorithm {
        let all = SignatureAlgorithm.allCases
        guard let algorithm = all.first(where: { $0.rawValue.lowercased() == text.lowercased() }) else {
            throw .usage(
                "\(Printable.quoted(text)) is no signature algorithm",
                hint: "write --algorithm " + all.map(\.rawValue).joined(separator: ", "))
        }
        return algorithm
    }

    private static let usage = """
        Usage: authserver key rotate [FLAGS]

        Makes a new signing key and prints its kid. It is published at once, and signs only after guards had the
        time to see it: the max-age of the key set, which the server noted when it was started; a shorter one is
        not taken. The older key stays published until its last token has ended.

        Flags:
          --algorithm ALG          ES256, EdDSA, RS256 or PS256 (that of the present key)
          --now                    sign with it at once, for an emergency: guards that keep the key set fetch it
                                   again when they meet the new kid, most at once, those that did so within the
                                   last 10 seconds after these, and answer 401 until then; keys that wait to sign
                                   are retired
          --jwks-max-age TIME      what to wait for at least (AUTHSERVER_JWKS_MAX_AGE, or the server's, or 5m)
          --master-key-file FILE   encrypts the key at rest under the key in FILE (AUTHSERVER_MASTER_KEY_FILE)
          --database FILE          the database (AUTHSERVER_DATABASE, or authserver.db)

        Examples:
          authserver key rotate
          authserver key rotate --algorithm EdDSA --now

        """
}

extension KeySchedule {
    /// The key that was made last of those that began to sign: guards fetched it when they met it, also where it is
    /// retired now.
    fileprivate func lastToSign(by now: Milliseconds) -> SigningKeyDetail? {
        keys.filter { $0.activatesAt <= min(now, $0.retiredAt ?? now) }.max { $0.createdAt < $1.createdAt }
    }
}
