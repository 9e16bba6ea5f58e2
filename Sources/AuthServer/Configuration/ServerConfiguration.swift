/// What the server is told to do: read once, checked, then a plain value.
struct ServerConfiguration: Sendable, Hashable {
    /// How log lines look.
    enum LogFormat: String, Sendable, CaseIterable {
        /// JSON, but text on a terminal.
        case auto
        case json
        case text
    }

    /// The two files of a TLS server, in PEM.
    struct TLSFiles: Sendable, Hashable {
        let certificate: String
        let key: String
    }

    /// Where to listen.
    private(set) var listen: ListenAddress
    /// Where metrics are to be had; nil for nowhere.
    private(set) var metricsListen: ListenAddress?
    /// The issuer that was given; nil to derive it from the address (`issuer(boundTo:)`).
    private(set) var givenIssuer: Issuer?
    /// The stores.
    private(set) var stores: StoreConfiguration
    /// How many threads serve.
    private(set) var threads: Int
    /// How log lines look.
    private(set) var logFormat: LogFormat
    /// Where TLS ends here: the files; nil for plain HTTP.
    private(set) var tls: TLSFiles?
    /// The `max-age` of the key set, in seconds: how long a new key is published before it signs.
    let jwksMaxAge: Int64
    /// The seconds within which a request is to be received and answered.
    let requestDeadline: Int64
    /// How many connections are open at most.
    let maxConnections: Int
    /// How many of them one address may have.
    let maxConnectionsPerAddress: Int
    /// How many failed authentications a minute a client has from one address before it is refused; 0 for no end.
    let maxFailures: Int
    /// How many clients all threads keep in memory at most, each its share.
    let maxClientsInMemory: Int
    /// Whether the client's address is taken from `X-Forwarded-For`, which only a proxy in front makes true.
    let trustsForwardedFor: Bool

    /// What a server that started with this configuration serves by when it is given another: what is bound at the start
    /// stays. TLS is, too: begun or ended under a running server, it would leave an issuer of the other scheme, and
    /// secrets in the clear on an address that was chosen with TLS in mind.
    func followed(by next: ServerConfiguration) -> ServerConfiguration {
        var result = next
        result.listen = listen
        result.metricsListen = metricsListen
        result.givenIssuer = givenIssuer
        result.threads = threads
        result.logFormat = logFormat
        result.stores = stores.followed(by: next.stores)
        if (tls == nil) != (next.tls == nil) { result.tls = tls }
        return result
    }

    /// The settings of another configuration that take a restart to be followed.
    func settingsNeedingRestart(for next: ServerConfiguration) -> [Setting] {
        let differences: [(Setting, Bool)] = [
            (.listen, listen != next.listen), (.metricsListen, metricsListen != next.metricsListen),
            (.issuer, givenIssuer != next.givenIssuer),
            (.threads, threads != next.threads), (.redis, stores.redis != next.stores.redis),
            (.redisPrefix, stores.redisPrefix != next.stores.redisPrefix),
            (.sqliteSynchronous, stores.synchronous != next.stores.synchronous),
            (.database, stores.database != next.stores.database), (.logFormat, logFormat != next.logFormat),
            (.tlsCertificate, (tls == nil) != (next.tls == nil)),
        ]
        return differences.filter(\.1).map(\.0)
    }

    /// How many clients each thread keeps in memory at most: two threads know most clients both.
    var clientsOfThread: Int { (maxClientsInMemory + threads - 1) / threads }

    /// The issuer of a server that listens on `port`, which differs from the configured one where that is 0.
    func issuer(boundTo port: UInt16) -> Issuer {
        givenIssuer ?? Issuer(loopback: ListenAddress(host: listen.host, port: port), isHTTPS: tls != nil)
    }
}

extension ServerConfiguration {
    /// Reads and checks the settings.
    /// - Throws: a configuration or usage error that names the setting and the place that it is from.
    init(_ settings: ResolvedSettings) throws(CommandError) {
        listen = try settings.listenAddress()
        metricsListen = try settings.metricsAddress()
        givenIssuer = try settings.issuer()
        stores = try StoreConfiguration(settings)
        // Commands that ask no token store go without the URL of Redis; a server does not.
        _ = try TokenStorePlace(stores)
        threads = try settings.integer(.threads, in: 1...256)
        logFormat = try settings.value(
            .logFormat, expecting: "write json, text or auto", parse: LogFormat.init)
        tls = try settings.tlsFiles()
        jwksMaxAge = try settings.jwksMaxAge()
        requestDeadline = try settings.seconds(.requestDeadline, in: 1...300)
        maxConnections = try settings.integer(.maxConnections, in: 1...1_000_000)
        maxConnectionsPerAddress =
            settings[.maxConnectionsPerAddress] == nil
            ? maxConnections : try settings.integer(.maxConnectionsPerAddress, in: 1...1_000_000)
        maxFailures = try settings.integer(.maxFailures, in: 0...1000)
        maxClientsInMemory = try settings.integer(.maxClientsInMemory, in: 1...100_000_000)
        trustsForwardedFor = try settings.toggle(.trustForwardedFor)
        try checkExposure(settings)
        guard metricsListen != listen || listen.port == 0 else {
            throw settings.error(
                .metricsListen, "\(listen) is where tokens are issued",
                hint: "metrics are not for all who get tokens: give another address, such as 127.0.0.1:9464")
        }
    }

    /// Refuses what would send secrets over a network in the clear, unless it is asked for by name.
    private func checkExposure(_ settings: ResolvedSettings) throws(CommandError) {
        let allowsInsecureListen = try settings.toggle(.allowInsecureListen)
        let allowsHTTPIssuer = try settings.toggle(.allowHTTPIssuer)
        guard listen.isLoopback || tls != nil || allowsInsecureListen else {
            throw CommandError(
                .configuration, "listening on \(listen) without TLS would show secrets to the network",
                hint: "give --tls-certificate and --tls-key, listen on 127.0.0.1 behind a proxy, "
                    + "or accept it with --allow-insecure-listen")
        }
        guard let issuer = givenIssuer else { return try checkDerivedIssuer() }
        // A proxy in front may take http and connect here with TLS, but who runs one knows it.
        guard issuer.isHTTPS || tls == nil || allowsHTTPIssuer else {
            throw CommandError(
                .configuration,
                "the issuer \(issuer.value) is http, and TLS is served here: no guard would get in",
                hint: "give --issuer https://\(issuer.value.dropFirst("http://".count)), or accept it with "
                    + "--allow-http-issuer where a proxy takes http and connects here with TLS")
        }
        let staysHere = listen.isLoopback && issuer.isLoopback
        guard issuer.isHTTPS || staysHere || allowsHTTPIssuer else {
            throw CommandError(
                .configuration, "the issuer \(issuer.value) would have its keys fetched over plain http",
                hint: "give an https issuer, or accept it with --allow-http-issuer")
        }
    }

    private func checkDerivedIssuer() throws(CommandError) {
        guard listen.isLoopback else {
            throw CommandError(
                .configuration, "a server that listens on \(listen) has to be told its issuer",
                hint: "give --issuer https://NAME as clients see it")
        }
    }
}

extension ResolvedSettings {
    /// The address, from which the issuer is derived where none is given.
    func listenAddress() throws(CommandError) -> ListenAddress {
        try address(.listen, such: "127.0.0.1:8083 or [::1]:8083")
    }

    fileprivate func metricsAddress() throws(CommandError) -> ListenAddress? {
        guard self[.metricsListen] != nil else { return nil }
        return try address(.metricsListen, such: "127.0.0.1:9464 or [::1]:9464")
    }

    private func address(_ setting: Setting, such examples: String) throws(CommandError) -> ListenAddress {
        try value(
            setting, expecting: "write HOST:PORT such as \(examples), with a port from 0 to 65535",
            parse: ListenAddress.init)
    }

    /// The `max-age` of the key set, in seconds.
    func jwksMaxAge() throws(CommandError) -> Int64 { try seconds(.jwksMaxAge, in: 0...604_800) }

    /// The issuer, if one is given.
    func issuer() throws(CommandError) -> Issuer? {
        guard let text = self[.issuer]?.text else { return nil }
        do throws(Issuer.Problem) {
            return try Issuer(text)
        } catch {
            throw self.error(.issuer, "\(Printable.quoted(text)) is no issuer", hint: error.rawValue)
        }
    }

    fileprivate func tlsFiles() throws(CommandError) -> ServerConfiguration.TLSFiles? {
        switch (try text(.tlsCertificate), try text(.tlsKey)) {
        case (let certificate?, let key?): return .init(certificate: certificate, key: key)
        case (nil, nil): return nil
        case (nil, _):
            throw error(
                .tlsKey, "a key needs its certificate", hint: giving(.tlsCertificate, besides: .tlsKey))
        case (_, nil):
            throw error(
                .tlsCertificate, "a certificate needs its key",
                hint: giving(.tlsKey, besides: .tlsCertificate))
        }
    }

    /// What to do where one setting needs another, named as for the place that the one is from.
    private func giving(_ other: Setting, besides setting: Setting) -> String {
        "give \((self[setting]?.origin ?? .preset).name(of: other)) too"
    }
}
