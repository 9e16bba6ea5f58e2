internal import AuthStore
internal import JOSE

/// `authserver migrate`.
enum MigrateCommand {
    static let command = Command("migrate", usage: usage, settings: [.database]) {
        context throws(CommandError) in
        let registry = try context.registryToMigrate()
        let applied = try storing { () throws(StoreError) in
            try registry.migrate(at: context.nowMilliseconds, observer: context.migrationObserver)
        }
        if applied.isEmpty { context.note("the database is up to date") }
        try context.emit(
            .members([("applied", .array(applied.map { .string($0) }))]),
            text: applied.map { "applied \($0)\n" }.joined())
        return .ok
    }

    static let usage = """
        Usage: authserver migrate [FLAGS]

        Creates the database where there is none, and applies the migrations that it lacks, each once and in a
        transaction. `authserver serve` does so when it starts, and no other command. The token store beside it is made
        by `serve`.

        Flags:
          --database FILE   the database (AUTHSERVER_DATABASE, or authserver.db)

        Examples:
          authserver migrate
          authserver migrate --database /var/lib/authserver/authserver.db

        """
}

extension CommandContext {
    fileprivate func registryToMigrate() throws(CommandError) -> Registry {
        let path = try StoreConfiguration(settings).database
        return try RegistryFile.open(path, mode: .create, by: administrator)
    }
}
