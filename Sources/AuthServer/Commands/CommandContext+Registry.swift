internal import AuthStore
internal import OAuth
internal import OperatingSystem

/// What a command does to the registry.
enum RegistryAccess {
    /// Reads it.
    case read
    /// Changes it; it must be there.
    case change
    /// Changes it; a file that is not there is made.
    case create
}

extension CommandContext {
    /// Opens the registry that the settings name.
    ///
    /// Only a file that was not there is migrated here, or one that another process has made this moment and did not
    /// get to: bringing an old one up to date is `migrate`'s, and `serve`'s, so that no command does it unasked beside
    /// a running server of an older version.
    func registry(_ access: RegistryAccess, masterKey: MasterKey? = nil) throws(CommandError) -> Registry {
        let path = try StoreConfiguration(settings).database
        let isThere = try RegistryFile.isThere(path)
        guard isThere || access == .create else { throw missing(path) }
        let mode: Registry.Mode =
            switch access {
            case .read: .readOnly
            case .change: .readWrite
            case .create: .create
            }
        let registry = try RegistryFile.open(
            path, mode: mode, masterKey: masterKey, by: access == .read ? nil : administrator)
        guard try RegistryFile.using(path, { () throws(StoreError) in try registry.isBlank() }) else {
            try requireMigrated(registry, at: path)
            return registry
        }
        guard access == .create else { throw missing(path) }
        let applied = try storing { () throws(StoreError) in try registry.migrate(at: nowMilliseconds) }
        if !applied.isEmpty { noteCreation(path) }
        return registry
    }

    /// Who runs the command, for the record of what it changes.
    var administrator: String { "\(ProcessUser.read(environment: environment))" }

    /// Whoever is in another folder than the server has to see that its own database is another.
    private func noteCreation(_ path: String) {
        note(
            "created the database \(AbsolutePath.of(path)), which no server has used yet: where yours uses "
                + "another, name that with --database, or its configuration with --config")
    }

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
            ? "name another with --database, \(Setting.database.variable) or the configuration file"
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
