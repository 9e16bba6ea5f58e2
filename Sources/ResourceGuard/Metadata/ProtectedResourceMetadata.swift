internal import JOSE
internal import OutboundHTTP

/// The document by which a service tells clients where to get a token for it (RFC 9728 §2): serve `body` as
/// `application/json` at `path`.
public struct ProtectedResourceMetadata: Sendable, Equatable {
    /// `resource`: what to name in a token request's `resource` parameter.
    public let resource: ResourceID
    /// `authorization_servers`: the issuers whose tokens are accepted.
    public let authorizationServers: [String]
    /// `scopes_supported`.
    public let scopes: Scopes
    /// The path where clients look for it (RFC 9728 §3.1).
    public let path: String

    /// The document as JSON.
    public var body: [UInt8] {
        JSON.serialize([
            "resource": .string(resource.value),
            "authorization_servers": .array(authorizationServers.map(JSONValue.string)),
            "scopes_supported": .array(scopes.map { .string($0.value) }),
            "bearer_methods_supported": ["header"],
        ])
    }
}

extension ResourceGuard {
    /// The metadata of the guarded resource.
    /// - Parameter scopes: the scopes that the service knows.
    public func metadata(scopes: Scopes) -> ProtectedResourceMetadata {
        ProtectedResourceMetadata(
            resource: resource, authorizationServers: [issuer], scopes: scopes,
            path: metadataURL?.path ?? "/.well-known/oauth-protected-resource")
    }

    /// The URL that refusals name: the configured one, or the well-known one of a resource id that is an https URL.
    static func metadataURL(
        _ configuration: Configuration, _ resource: ResourceID
    ) throws(ConfigurationError) -> EndpointURL? {
        do throws(EndpointURLError) {
            if let url = configuration.metadataURL { return try EndpointURL(url, allowsPlainHTTP: true) }
            guard resource.value.hasPrefix("https://") else { return nil }
            return try EndpointURL(resource.value).wellKnown("oauth-protected-resource")
        } catch {
            throw ConfigurationError("metadataURL: \(error)")
        }
    }
}
