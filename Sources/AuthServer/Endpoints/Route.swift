/// The endpoints and where they are. One spelling each: another case, a slash at the end or an encoded letter is
/// another path, which is not there.
enum Route: String, CaseIterable {
    case token
    case introspection
    case revocation
    case metadata
    case jwks
    case live
    case ready

    /// The path below the issuer.
    var path: String {
        switch self {
        case .token: "/oauth/token"
        case .introspection: "/oauth/introspect"
        case .revocation: "/oauth/revoke"
        case .metadata: "/.well-known/oauth-authorization-server"
        case .jwks: "/.well-known/jwks.json"
        case .live: "/healthz"
        case .ready: "/readyz"
        }
    }

    /// Whether it takes a form, and nothing else; the others are documents to be fetched.
    private var takesForm: Bool {
        switch self {
        case .token, .introspection, .revocation: true
        case .metadata, .jwks, .live, .ready: false
        }
    }

    /// Whether it is asked for the server's health again and again.
    var isProbe: Bool {
        switch self {
        case .live, .ready: true
        case .token, .introspection, .revocation, .metadata, .jwks: false
        }
    }

    /// The methods, as `Allow` names them.
    var methods: [String] { takesForm ? ["POST"] : ["GET", "HEAD"] }

    /// Whether it takes a method.
    func takes(_ method: String) -> Bool {
        takesForm ? method == "POST" : method == "GET" || method == "HEAD"
    }
}

/// Finds the endpoint of a path.
struct Routes {
    /// So few that a look at each is quicker than a hash.
    private let paths: [(path: String, route: Route)]

    /// The routes of an issuer. One with a path has its endpoints below that path as well as at the root, for a
    /// proxy that cuts the path off, and its metadata at the path-inserted form (RFC 8414 §3.1).
    init(issuerPath: String) {
        var paths = Route.allCases.map { (path: $0.path, route: $0) }
        if !issuerPath.isEmpty {
            paths += Route.allCases.map { (issuerPath + $0.path, $0) }
            paths.append((Route.metadata.path + issuerPath, .metadata))
        }
        self.paths = paths
    }

    /// The endpoint at a path as it was sent; nil where there is none.
    func route(_ path: String) -> Route? { paths.first { $0.path == path }?.route }
}
