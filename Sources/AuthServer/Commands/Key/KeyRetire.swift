internal import AuthStore
internal import JOSE

/// `authserver key retire`.
enum KeyRetire {
    static let last = Flag("last", .toggle)
    /// What guards take a shorter max-age of the key set for, in seconds.
    private static let shortestKept: Int64 = 10

    static let command = Command(
        "key retire", usage: usage, flags: [last, .yes], settings: [.database],
        positionals: [Positional("KID")]
    ) { context throws(CommandError) in
        let keyID = context.arguments.positional(0) ?? ""
        let registry = try context.registry(.change)
        let isLastToo = context.arguments.has(last)
        try confirm(keyID, isLastToo: isLastToo, in: registry, context)
        let now = context.nowMilliseconds
        let (before, after, isPublished, kept) = try storing { () throws(StoreError) in
            try registry.transaction { () throws(StoreError) in
                let before = try registry.keySchedule().signing(at: now)
                try registry.retireSigningKey(keyID, evenLast: isLastToo, at: now)
                return (
                    before, try registry.keySchedule().signing(at: now),
                    !(try registry.keySchedule().published(at: now).isEmpty),
                    try registry.server()?.secondsKept(at: now)
                )
            }
        }
        context.note("key \(keyID) is retired and its private part is erased")
        context.noteGuards(isPublished: isPublished, secondsKept: kept.map { max($0, shortestKept) })
        if before != after { context.noteSigning(after) }
        try context.emit(
            .members([
                ("kid", .string(keyID)), ("retired", .bool(true)),
                ("signing_kid", after.map { .string($0.keyID) } ?? .null),
            ]), text: "")
        return .ok
    }

    /// Asks, once it is known that the key is there, is not retired yet, and may be.
    private static func confirm(
        _ keyID: String, isLastToo: Bool, in registry: Registry, _ context: CommandContext
    ) throws(CommandError) {
        let keys = try storing { () throws(StoreError) in try registry.keySchedule().keys }
        guard let key = keys.first(where: { $0.keyID == keyID }) else {
            throw CommandError(
                .notFound, "there is no signing key \(Printable.quoted(keyID))",
                hint: NearestName.hint(
                    for: keyID, among: keys.map(\.keyID), otherwise: "authserver key list shows all"))
        }
        guard key.retiredAt == nil else { return }
        try storing { () throws(StoreError) in
            try registry.rehearse { () throws(StoreError) in
                try registry.retireSigningKey(keyID, evenLast: isLastToo, at: context.nowMilliseconds)
            }
        }
        try context.confirm("ending key \(keyID) and every token that it signed")
    }

    private static let usage = """
        Usage: authserver key retire KID [FLAGS]

        Takes a key out of use at once, when it was stolen: it is published no more, the tokens that it signed are
        refused as soon as each guard refreshes its keys (within the max-age of the key set), and its private part
        is erased. It cannot be undone.
        Where it is the only key, rotate first. Where it signs, the newest of the others signs from then on, which may
        be an older key: the command says which. After a plain rotation there is nothing to retire. A kid that begins
        with a dash is written after --.

        Flags:
          --last            also where no other key signs, and no token is issued until `key rotate` has made one: for
                            keys whose master key is lost. Until then guards go on with the key, for a day at most
          --yes             do not ask
          --database FILE   the database (AUTHSERVER_DATABASE, or authserver.db)

        Examples:
          authserver key rotate --now
          authserver key retire --yes -- 6kZm0N4qkqPpyMUpUrGy3OzEcGk1NsTIT3kO8jE8VqM

        """
}

extension CommandContext {
    /// Says when guards refuse what was signed with the key that was retired. Where no key is published any more they
    /// cannot tell that from a server in trouble, which must not take good keys away.
    fileprivate func noteGuards(isPublished: Bool, secondsKept: Int64?) {
        guard isPublished else {
            return note(
                "guards go on with it for a day, since a server without a key may be in trouble: they refuse the "
                    + "tokens that it signed when there is another key: authserver key rotate --now")
        }
        note(
            "guards refuse the tokens that it signed when they look for keys again"
                + (secondsKept.map { ": within " + DurationText.text(seconds: $0) } ?? ""))
    }

    /// Says which key signs instead of the one that was retired: possibly one from before, which may be known to
    /// whoever knows that one.
    fileprivate func noteSigning(_ key: SigningKeyDetail?) {
        guard let key else {
            return note("no key signs now, and no token is issued: authserver key rotate makes one")
        }
        note(
            "key \(key.keyID), made \(TimeText.text(key.createdAt)), signs from now on: where it may be known to "
                + "others too, authserver key rotate --now, then retire it")
    }
}

/// `authserver key encrypt`.
enum KeyEncrypt {
    static let oldMasterKeyFile = Flag("old-master-key-file", .value)

    static let command = Command(
        "key encrypt", usage: usage, flags: [oldMasterKeyFile], settings: [.database, .masterKeyFile]
    ) { context throws(CommandError) in
        guard let masterKey = try context.masterKey() else {
            throw .usage(
                "there is no master key to encrypt with",
                hint: "make one with: (umask 077; openssl rand -hex 32 >/etc/authserver.key); then give "
                    + "--master-key-file /etc/authserver.key")
        }
        let old = try context.arguments.value(oldMasterKeyFile).map { path throws(CommandError) in
            try MasterKeyFile.read(path, mayBeNew: false)
        }
        let registry = try context.registry(.change, masterKey: masterKey)
        let count: Int
        do throws(StoreError) {
            count = try registry.encryptSigningKeys(replacing: old, at: context.nowMilliseconds)
        } catch {
            throw CommandError(error, masterKeyFile: oldMasterKeyFile)
        }
        context.note(count == 0 ? "all keys were encrypted with it already" : "keys encrypted: \(count)")
        context.note(
            "servers that run without this --master-key-file go on with the keys they know: give it to them and "
                + "restart them")
        try context.emit(.members([("encrypted", .integer(Int64(count)))]), text: "")
        return .ok
    }

    private static let usage = """
        Usage: authserver key encrypt --master-key-file FILE [FLAGS]

        Encrypts the private parts of keys that are stored plain (AES-256-GCM). From then on `serve` and
        `key rotate` need the file as well: add it to the server's configuration first, then encrypt, then restart
        the server. Only its owner may read the file, the server's user. Keep it out of the database's backups.
        A master key is changed in the same way: with the old one named besides.

        Flags:
          --master-key-file FILE       32 bytes, or their hexadecimal or base64 form (AUTHSERVER_MASTER_KEY_FILE)
          --old-master-key-file FILE   the master key that keys are encrypted with until now
          --database FILE              the database (AUTHSERVER_DATABASE, or authserver.db)

        Examples:
          (umask 077; openssl rand -hex 32 >/etc/authserver.key)
          authserver key encrypt --master-key-file /etc/authserver.key
          authserver key encrypt --master-key-file /etc/new.key --old-master-key-file /etc/authserver.key

        """
}
