import AuthStore
import EventLoop
import Glibc
import HTTP
import OperatingSystem

/// Turns a configuration into what the threads are made from.
enum ServingPlan {
    /// Makes or migrates the registry, and its first signing key; refuses keys of another master key before anything
    /// is noted and the token store is made.
    static func prepareRegistry(
        _ configuration: ServerConfiguration, masterKey: MasterKey?
    ) throws(CommandError) {
        let registry = try RegistryFile.open(
            configuration.stores.database, mode: .create, masterKey: masterKey)
        try RegistryFile.using(configuration.stores.database) { () throws(StoreError) in
            try registry.migrate(at: WallClock.now(), observer: migrationObserver(configuration))
            try registry.ensureSigningKey(at: WallClock.now())
            _ = try registry.keyRing()
        }
    }

    /// Notes where tokens are kept, and what else commands have to do as the server does.
    /// - Returns: what is another than it was noted before, for the log.
    static func noteServer(
        _ configuration: ServerConfiguration, issuer: Issuer
    ) throws(CommandError) -> [String] {
        let former = try note(configuration.stores, issuer: issuer, jwksMaxAge: configuration.jwksMaxAge)
        var changes: [String] = []
        if !former.hasClients {
            changes.append(
                "there is no client in \(AbsolutePath.of(configuration.stores.database)) yet: add some, or name the "
                    + "database that has them (--database, or a configuration with --config)")
        }
        if let issuerBefore = former.issuer, issuerBefore != issuer.value {
            changes.append(
                "the issuer was \(Printable.text(issuerBefore)), is now \(issuer.value): commands take it as the "
                    + "server's from now on, and guards that were given the other one refuse its tokens")
        }
        let place = try TokenStorePlace(configuration.stores)
        if let placeBefore = former.tokenStore, placeBefore != place {
            changes.append(
                "tokens were kept in \(Printable.text(placeBefore.text)), are now in \(place.text): those that were "
                    + "issued before are not active any more; where that is a mistake, start with the settings of before"
            )
        }
        return changes
    }

    /// Notes the max-age of a configuration that was read again, and all else anew: a backup that was restored may not
    /// have it, or another server's. A registry that cannot be written hinders no change but that of the max-age.
    static func noteAgain(
        _ configuration: ServerConfiguration, replacing old: ServingThread.Plan
    ) throws(CommandError) {
        do throws(CommandError) {
            _ = try note(configuration.stores, issuer: old.issuer, jwksMaxAge: configuration.jwksMaxAge)
        } catch {
            if configuration.jwksMaxAge != old.configuration.jwksMaxAge { throw error }
        }
    }

    /// - Returns: what was noted before.
    private static func note(
        _ stores: StoreConfiguration, issuer: Issuer, jwksMaxAge: Int64
    ) throws(CommandError) -> (issuer: String?, tokenStore: TokenStorePlace?, hasClients: Bool) {
        let place = try TokenStorePlace(stores)
        return try RegistryFile.using(stores.database) { () throws(StoreError) in
            let registry = try Registry(path: stores.database, mode: .readWrite)
            let former = (
                try registry.server()?.issuer, try registry.tokenStore().map(TokenStorePlace.init(noted:)),
                try registry.hasClients()
            )
            try registry.recordTokenStore(place.note)
            try registry.recordServer(issuer: issuer.value, jwksMaxAge: jwksMaxAge, at: WallClock.now())
            return former
        }
    }

    /// Opens one listener for each thread.
    static func listen(_ configuration: ServerConfiguration) throws(CommandError) -> [ListeningSocket] {
        try listen(configuration.listen, count: configuration.threads)
    }

    /// Opens the listener for metrics, where there are to be any.
    static func listenForMetrics(
        _ configuration: ServerConfiguration
    ) throws(CommandError) -> ListeningSocket? {
        try configuration.metricsListen.flatMap { address throws(CommandError) in
            do throws(CommandError) {
                return try listen(address, count: 1).first
            } catch {
                // Another spelling of the same address is not seen before.
                throw CommandError(
                    error.code, error.message,
                    hint: (error.hint ?? "") + "; --metrics-listen needs another port than --listen")
            }
        }
    }

    private static func listen(
        _ address: ListenAddress, count: Int
    ) throws(CommandError) -> [ListeningSocket] {
        do throws(HTTPError) {
            return try ListeningSocket.open(host: address.host, port: Int(address.port), count: count)
        } catch {
            throw CommandError(
                .failed, "cannot listen on \(address)", hint: error.description + lowPortHint(address, error))
        }
    }

    /// What to do about a port that only the system's own servers may have.
    private static func lowPortHint(_ address: ListenAddress, _ error: HTTPError) -> String {
        let isDenied = error.description.hasSuffix(SystemError(code: EACCES).description)
        guard isDenied, address.port < 1024 else { return "" }
        return ": a port below 1024 needs CAP_NET_BIND_SERVICE (in a systemd unit: "
            + "AmbientCapabilities=CAP_NET_BIND_SERVICE); else choose another port, such as 8083"
    }

    /// Makes a plan.
    /// - Parameter old: the plan in force, whose stores and log are kept.
    static func make(
        _ configuration: ServerConfiguration, files: GivenFiles, port: UInt16,
        replacing old: ServingThread.Plan? = nil
    ) throws(CommandError) -> ServingThread.Plan {
        let shared = if let old { Shared(of: old) } else { try Shared(configuration) }
        return ServingThread.Plan(
            configuration: configuration,
            issuer: old?.issuer ?? configuration.issuer(boundTo: port),
            masterKey: files.masterKey, http: httpConfiguration(configuration, tls: files.tls),
            certificate: files.certificate,
            tokenStores: shared.tokenStores, slowChecks: shared.slowChecks,
            failures: failures(configuration, replacing: old),
            logWriter: shared.logWriter, meters: shared.meters,
            logFormat: logFormat(configuration.logFormat), registryTrouble: shared.registryTrouble,
            tokenStoreTrouble: shared.tokenStoreTrouble)
    }

    /// The counts of failed authentications, which go on unless the number allowed is another.
    private static func failures(
        _ configuration: ServerConfiguration, replacing old: ServingThread.Plan?
    ) -> FailureCounters? {
        guard configuration.maxFailures > 0 else { return nil }
        if let old, old.configuration.maxFailures == configuration.maxFailures { return old.failures }
        return FailureCounters(limit: configuration.maxFailures)
    }

    /// What outlives a change of configuration.
    private struct Shared {
        let tokenStores: TokenStores
        let slowChecks: SlowSecretChecks
        let logWriter: LogWriter
        let meters: ServerMeters
        let registryTrouble: SharedTrouble
        let tokenStoreTrouble: SharedTrouble

        init(of plan: ServingThread.Plan) {
            tokenStores = plan.tokenStores
            slowChecks = plan.slowChecks
            logWriter = plan.logWriter
            meters = plan.meters
            registryTrouble = plan.registryTrouble
            tokenStoreTrouble = plan.tokenStoreTrouble
        }

        init(_ configuration: ServerConfiguration) throws(CommandError) {
            registryTrouble = SharedTrouble()
            tokenStoreTrouble = SharedTrouble()
            meters = ServerMeters(threads: configuration.threads)
            tokenStores = try TokenStores.open(
                configuration.stores, onMigration: migrationObserver(configuration))
            do throws(EventLoopError) {
                slowChecks = try SlowSecretChecks()
                logWriter = try LogWriter(format: logFormat(configuration.logFormat))
            } catch { throw CommandError(.failed, error.description) }
        }
    }

    /// Says in the log what is brought up to date before anything is served.
    private static func migrationObserver(_ configuration: ServerConfiguration) -> MigrationObserver {
        MigrationLog(SystemConsole(), format: logFormat(configuration.logFormat)).observe
    }

    private static func logFormat(_ format: ServerConfiguration.LogFormat) -> RequestLog.Format {
        switch format {
        case .json: .json
        case .text: .text
        case .auto: isatty(STDERR_FILENO) == 1 ? .text : .json
        }
    }

    /// The limits of one thread's listener: the system spreads connections evenly enough that each thread gets
    /// its share of the whole, rounded up.
    private static func httpConfiguration(
        _ configuration: ServerConfiguration, tls: TLSIdentity?
    ) -> HTTPServerConfiguration {
        let threads = configuration.threads
        var http = HTTPServerConfiguration()
        http.requestDeadlineSeconds = Int(configuration.requestDeadline)
        http.maximumConnections = (configuration.maxConnections + threads - 1) / threads
        http.maximumConnectionsPerAddress = (configuration.maxConnectionsPerAddress + threads - 1) / threads
        http.tls = tls
        return http
    }
}
