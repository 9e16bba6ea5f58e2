internal import AuthStore
internal import JOSE
internal import OpenSSLCrypto

/// `authserver key rotate`.
enum KeyRotate {
    static let algorithm = Flag("algorithm", .value)
    static let immediately = Flag("now", .toggle)

    static let command = Command(
        "key rotate", usage: usage, flags: [algorithm, immediately],
        settings: [.database, .masterKeyFile, .jwksMaxAge]
    ) { context throws(CommandError) in
        let algorithm = try context.arguments.value(algorithm).map(parse)
        let maxAge = try context.settings.jwksMaxAge()
        let isGiven = context.settings[.jwksMaxAge]?.origin != .preset
        let registry = try context.registry(.change, masterKey: try context.masterKey())
        let now = context.nowMilliseconds
        let isImmediate = context.arguments.has(immediately)
        let (retired, key, schedule, publication) = try storing { () throws(StoreError) in
            try registry.transaction { () throws(StoreError) in
                let retired = isImmediate ? try registry.keySchedule().waiting(at: now) : []
                let publication = KeyPublication(
                    given: isGiven ? maxAge : nil, kept: try registry.server()?.secondsKept(at: now),
                    preset: maxAge)
                let key = try registry.rotateSigningKey(
                    to: algorithm, publishedFor: publication.seconds, immediately: isImmediate, at: now)
                return (retired, key, try registry.keySchedule(), publication)
            }
        }
        context.note(
            key.activatesAt > now
                ? "the new key is published now and signs from \(TimeText.text(key.activatesAt)) on"
                : "the new key is published and signs now; guards that keep older keys fetch it when they meet it"
        )
        if publication.isProlonged, key.activatesAt > now {
            context.note(
                "guards may keep the server's key set for \(DurationText.text(seconds: publication.seconds)), "
                    + "which is longer than \(DurationText.text(seconds: maxAge)): the key waits for that")
        }
        for key in retired {
            context.note("key \(key.keyID), which waited to sign and never did, is retired")
        }
        try context.emit(
            key.document(in: schedule, at: now, retired: isImmediate ? retired.map(\.keyID) : nil),
            text: key.keyID + "\n")
        return .ok
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
                                   again when they meet the new kid, most at once, some after a cooldown; keys
                                   that wait to sign are retired
          --jwks-max-age TIME      what to wait for at least (AUTHSERVER_JWKS_MAX_AGE, or the server's, or 5m)
          --master-key-file FILE   encrypts the key at rest under the key in FILE (AUTHSERVER_MASTER_KEY_FILE)
          --database FILE          the database (AUTHSERVER_DATABASE, or authserver.db)

        Examples:
          authserver key rotate
          authserver key rotate --algorithm EdDSA --now

        """
}
