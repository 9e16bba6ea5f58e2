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

    /// The methods, as `Allow` names them.
    var methods: [String] {
        switch self {
        case .token, .introspection, .revocation: ["POST"]
        case .metadata, .jwks, .live, .ready: ["GET", "HEAD"]
        }
    }

    /// Whether nothing of its answers may be kept by a cache, errors included.
    var isUncached: Bool { methods == ["POST"] }
}

/// Finds the endpoint of a path.
struct Routes {
    private let byPath: [String: Route]

    /// The routes of an issuer. One with a path has its endpoints below that path as well as at the root, for a
    /// proxy that cuts the path off, and its metadata at the path-inserted form (RFC 8414 §3.1).
    init(issuerPath: String) {
        var byPath: [String: Route] = [:]
        for route in Route.allCases {
            byPath[route.path] = route
            if !issuerPath.isEmpty { byPath[issuerPath + route.path] = route }
        }
        if !issuerPath.isEmpty { byPath[Route.metadata.path + issuerPath] = .metadata }
        self.byPath = byPath
    }

    /// The endpoint at a path as it was sent; nil where there is none.
    func route(_ path: String) -> Route? { byPath[path] }
}
