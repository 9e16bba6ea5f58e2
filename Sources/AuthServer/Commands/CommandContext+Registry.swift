internal import AuthStore
internal import OAuth
internal import OperatingSystem

/// What a command does to the registry.
enum RegistryAccess {
    /// Reads it.
    case read
    /// Changes it.
    case change
}

extension CommandContext {
    /// Opens the registry that the settings name.
    ///
    /// To make one, and to bring an old one up to date, is `migrate`'s, and `serve`'s: a command that did so would
    /// register a client in a file that no server reads, where it was run in another folder or told of no file.
    func registry(_ access: RegistryAccess, masterKey: MasterKey? = nil) throws(CommandError) -> Registry {
        let path = try StoreConfiguration(settings).database
        guard try RegistryFile.isThere(path) else { throw missing(path) }
        let registry = try RegistryFile.open(
            path, mode: access == .read ? .readOnly : .readWrite, masterKey: masterKey,
            by: access == .read ? nil : administrator)
        // A file that another process has made this moment, and did not get to, is none yet.
        guard try RegistryFile.using(path, { () throws(StoreError) in try !registry.isBlank() }) else {
            throw missing(path)
        }
        try requireMigrated(registry, at: path)
        return registry
    }

    /// Who runs the command, for the record of what it changes.
    var administrator: String { "\(ProcessUser.read(environment: environment))" }

    /// The registry says so as well, but only here is it known how the file is named on a command line.
    private func requireMigrated(_ registry: Registry, at path: String) throws(CommandError) {
        let pending = try storing { () throws(StoreError) in try registry.pendingMigrations() }
        guard !pending.isEmpty else { return }
        throw CommandError(
            .notMigrated, "\(path) needs \(pending.joined(separator: ", "))",
            hint: "run: authserver migrate "
                + ShellWord.flag(Setting.database.flag, AbsolutePath.of(path)))
    }

    /// What to say where there is none: who named it, and what makes one there.
    private func missing(_ path: String) -> CommandError {
        let whole = AbsolutePath.of(path)
        let origin = settings[.database]?.origin ?? .preset
        let named =
            origin == .preset
            ? "that path is looked at where none is named: name the server's with --database or "
                + "\(Setting.database.variable), or its configuration with --config or \(Setting.configVariable)"
            : "that path is from \(origin.name(of: .database))"
        return CommandError(
            .notFound, "there is no database \(whole)",
            hint: "\(named); to make one there: authserver migrate "
                + ShellWord.flag(Setting.database.flag, whole))
    }

    /// The client that a positional argument names.
    func clientID(_ index: Int) throws(CommandError) -> ClientID {
        try reading(arguments.positional(index) ?? "", as: "client id") { text throws(VocabularyError) in
            try ClientID(text)
        }
    }

    /// The resource that a positional argument names.
    func resourceID(_ index: Int) throws(CommandError) -> ResourceID {
        try reading(arguments.positional(index) ?? "", as: "resource id") { text throws(VocabularyError) in
            try ResourceID(text)
        }
    }
}
