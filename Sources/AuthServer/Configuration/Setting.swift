import OAuth

/// What can be configured. A setting named `tls-certificate` is the flag `--tls-certificate`, the variable
/// `AUTHSERVER_TLS_CERTIFICATE` and the key `tls_certificate` of the configuration file.
enum Setting: String, CaseIterable, Sendable {
    case listen
    case issuer
    case database
    case redis
    case redisPrefix = "redis-prefix"
    case threads
    case logFormat = "log-format"
    case tlsCertificate = "tls-certificate"
    case tlsKey = "tls-key"
    case masterKeyFile = "master-key-file"
    case jwksMaxAge = "jwks-max-age"
    case requestDeadline = "request-deadline"
    case maxConnections = "max-connections"
    case maxConnectionsPerAddress = "max-connections-per-address"
    case maxFailures = "max-failures"
    case maxClientsInMemory = "max-clients-in-memory"
    case sqliteSynchronous = "sqlite-synchronous"
    case allowInsecureListen = "allow-insecure-listen"
    case allowHTTPIssuer = "allow-http-issuer"
    case trustForwardedFor = "trust-forwarded-for"
    case metricsListen = "metrics-listen"

    /// The name, as the flag has it.
    var name: String { rawValue }

    /// Its flag.
    var flag: Flag { Flag(name, isToggle ? .toggle : .value) }

    /// Its key in the configuration file.
    var key: String { String(name.map { $0 == "-" ? "_" : $0 }) }

    /// Its environment variable.
    var variable: String { Self.variablePrefix + key.uppercased() }

    /// Whether it is on or off.
    var isToggle: Bool {
        switch self {
        case .allowInsecureListen, .allowHTTPIssuer, .trustForwardedFor: true
        default: false
        }
    }

    /// Whether it names a file. In the configuration file, a relative path counts from that file's folder.
    var isPath: Bool {
        switch self {
        case .database, .tlsCertificate, .tlsKey, .masterKeyFile: true
        default: false
        }
    }

    /// The value where none is given; nil where there is none, or where it depends on others.
    var preset: String? {
        switch self {
        case .listen: "127.0.0.1:8083"
        case .database: "authserver.db"
        case .redisPrefix: TokenKeys.defaultPrefix
        case .threads: String(min(Machine.processorCount, 256))
        case .logFormat: "auto"
        case .jwksMaxAge: "5m"
        case .requestDeadline: "10s"
        case .maxConnections: "4096"
        case .maxFailures: "30"
        case .maxClientsInMemory: "1000000"
        case .sqliteSynchronous: "full"
        case .allowInsecureListen, .allowHTTPIssuer, .trustForwardedFor: "false"
        case .issuer, .redis, .tlsCertificate, .tlsKey, .masterKeyFile, .maxConnectionsPerAddress,
            .metricsListen:
            nil
        }
    }

    /// What `--print-config` shows where no value is given and there is no preset.
    var absence: String {
        switch self {
        case .issuer: "(from listen)"
        case .redis: "(none: tokens are kept in SQLite)"
        case .maxConnectionsPerAddress: "(as max_connections)"
        default: "(none)"
        }
    }

    /// What the variables' names begin with.
    static let variablePrefix = "AUTHSERVER_"
    /// The variable that names the configuration file, as `--config` does.
    static let configVariable = "AUTHSERVER_CONFIG"

    /// The settings that say where the stores are, which every command that uses them takes.
    static let stores: [Setting] = [.database, .redis, .redisPrefix, .sqliteSynchronous]
}
