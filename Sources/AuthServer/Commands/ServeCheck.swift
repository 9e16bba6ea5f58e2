internal import AuthStore
internal import OperatingSystem

/// `authserver serve --check`: whether a start would find its files in order. It makes and changes none of them, and
/// tries neither the port nor Redis, which the server that runs may have, or wait for.
enum ServeCheck {
    static let flag = Flag("check", .toggle)

    /// Looks at what a start looks at, in its order.
    /// - Throws: what a start would be refused for.
    static func run(_ context: CommandContext) throws(CommandError) {
        let configuration = try ServerConfiguration(context.settings)
        let files = try GivenFiles(configuration)
        try RegistryFile.check(configuration.stores.database, .readWrite)
        try TokenStores.check(configuration.stores)
        try checkRegistry(configuration.stores.database, masterKey: files.masterKey, context)
        let issuer = configuration.issuer(boundTo: configuration.listen.port)
        for concern in files.certificate?.concerns(for: issuer, at: context.nowMilliseconds) ?? [] {
            context.warn(concern)
        }
        context.note("a start would find its files in order; the port and Redis were not tried")
    }

    /// What a start would do to the registry is said, since it may be another file than was meant.
    private static func checkRegistry(
        _ path: String, masterKey: MasterKey?, _ context: CommandContext
    ) throws(CommandError) {
        guard Path.isThere(path) else {
            return context.warn("there is no database \(AbsolutePath.of(path)) yet: a start makes it")
        }
        let registry = try RegistryFile.open(path, mode: .readOnly, masterKey: masterKey)
        let pending = try RegistryFile.using(path) { () throws(StoreError) in
            let pending = try registry.pendingMigrations()
            // Of what lacks migrations, the keys are in tables of another form.
            if pending.isEmpty { _ = try registry.keyRing() }
            return pending
        }
        guard !pending.isEmpty else { return }
        context.note("a start brings \(AbsolutePath.of(path)) up to date: \(pending.joined(separator: ", "))")
    }
}
