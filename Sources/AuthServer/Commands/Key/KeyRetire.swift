internal import AuthStore
internal import JOSE

/// `authserver key retire`.
enum KeyRetire {
    static let command = Command(
        "key retire", usage: usage, flags: [.yes], settings: [.database], positionals: [Positional("KID")]
    ) { context throws(CommandError) in
        let keyID = context.arguments.positional(0) ?? ""
        let registry = try context.registry(.change)
        let known = try storing { () throws(StoreError) in try registry.keySchedule().keys.map(\.keyID) }
        guard known.contains(keyID) else {
            throw CommandError(
                .notFound, "there is no signing key \(Printable.quoted(keyID))",
                hint: NearestName.hint(for: keyID, among: known, otherwise: "authserver key list shows all"))
        }
        try context.confirm("ending key \(keyID) and every token that it signed")
        try storing { () throws(StoreError) in
            try registry.retireSigningKey(keyID, at: context.nowMilliseconds)
        }
        context.note("key \(keyID) is retired and its private part is erased")
        try context.emit(.members([("kid", .string(keyID)), ("retired", .bool(true))]), text: "")
        return .ok
    }

    private static let usage = """
        Usage: authserver key retire KID [FLAGS]

        Takes a key out of use at once, when it was stolen: it is published no more, the tokens that it signed are
        refused as soon as each guard refreshes its keys, and its private part is erased. It cannot be undone.
        Where it is the only key, rotate first. After a plain rotation there is nothing to retire. A kid that begins
        with a dash is written after --.

        Flags:
          --yes             do not ask
          --database FILE   the database (AUTHSERVER_DATABASE, or authserver.db)

        Examples:
          authserver key rotate --now
          authserver key retire --yes -- 6kZm0N4qkqPpyMUpUrGy3OzEcGk1NsTIT3kO8jE8VqM

        """
}

/// `authserver key encrypt`.
enum KeyEncrypt {
    static let command = Command(
        "key encrypt", usage: usage, settings: [.database, .masterKeyFile]
    ) { context throws(CommandError) in
        guard let masterKey = try context.masterKey() else {
            throw .usage(
                "there is no master key to encrypt with",
                hint: "make one with: (umask 077; openssl rand -hex 32 >/etc/authserver.key); then give "
                    + "--master-key-file /etc/authserver.key")
        }
        let registry = try context.registry(.change, masterKey: masterKey)
        let count = try storing { () throws(StoreError) in try registry.encryptSigningKeys() }
        context.note(count == 0 ? "no key was stored plain" : "keys encrypted: \(count)")
        context.note(
            "servers that run without --master-key-file go on with the keys they know: give it to them and restart them"
        )
        try context.emit(.members([("encrypted", .integer(Int64(count)))]), text: "")
        return .ok
    }

    private static let usage = """
        Usage: authserver key encrypt --master-key-file FILE [FLAGS]

        Encrypts the private parts of keys that are stored plain (AES-256-GCM). From then on `serve` and
        `key rotate` need the file as well: add it to the server's configuration first, then encrypt, then restart
        the server. Only its owner may read the file, the server's user. Keep it out of the database's backups.

        Flags:
          --master-key-file FILE   32 bytes, or their hexadecimal or base64 form (AUTHSERVER_MASTER_KEY_FILE)
          --database FILE          the database (AUTHSERVER_DATABASE, or authserver.db)

        Examples:
          (umask 077; openssl rand -hex 32 >/etc/authserver.key)
          authserver key encrypt --master-key-file /etc/authserver.key

        """
}
