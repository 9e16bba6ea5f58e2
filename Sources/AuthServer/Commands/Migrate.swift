internal import AuthStore
internal import JOSE
internal import OperatingSystem

/// `authserver migrate`.
enum MigrateCommand {
    static let command = Command("migrate", usage: usage, settings: [.database]) {
        context throws(CommandError) in
        let path = try StoreConfiguration(context.settings).database
        let registry = try RegistryFile.open(path, mode: .create, by: context.administrator)
        let applied = try storing { () throws(StoreError) in
            try registry.migrate(at: context.nowMilliseconds, observer: context.migrationObserver)
        }
        if applied.isEmpty { context.note("the database is up to date") }
        let misplacement = RegistryFile.misplacement(
            path, of: .owning(path), in: .owning(AbsolutePath.folder(of: path)),
            by: ProcessUser.read(environment: context.environment).acting)
        if let misplacement { context.warn(misplacement) }
        try context.emit(
            .members([("applied", .array(applied.map { .string($0) }))]),
            text: applied.map { "applied \($0)\n" }.joined())
        return .ok
    }

    static let usage = """
        Usage: authserver migrate [FLAGS]

        Creates the database where there is none, and applies the migrations that it lacks, each once and in a
        transaction. `authserver serve` does so when it starts, and no other command. The token store beside it is made
        by `serve`. Run it as the server's user, to whom the file is then.

        Flags:
          --database FILE   the database (AUTHSERVER_DATABASE, or authserver.db)

        Examples:
          authserver migrate
          sudo -u authserver authserver migrate --database /var/lib/authserver/registry.db

        """
}
