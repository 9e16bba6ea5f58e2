internal import AuthStore

/// `authserver key`: what tokens are signed with.
enum KeyCommands {
    static let group = CommandGroup(
        word: "key", usage: usage,
        commands: [KeyList.command, KeyRotate.command, KeyRetire.command, KeyEncrypt.command])

    private static let usage = """
        Usage: authserver key COMMAND

        Signing keys. `serve` makes the first, an ES256 key. A running server knows a change at its next request.

        Commands:
          list      list the keys and where each stands
          rotate    make a new key
          retire    take a key out of use at once
          encrypt   encrypt the keys that are stored plain, or with another master key
        authserver key COMMAND --help shows more.

        Examples:
          authserver key list
          authserver key rotate

        """
}

extension CommandContext {
    /// The master key that the settings name, if they name one.
    func masterKey() throws(CommandError) -> MasterKey? {
        guard let path = try StoreConfiguration(settings).masterKeyFile else { return nil }
        return try MasterKeyFile.read(path)
    }
}
