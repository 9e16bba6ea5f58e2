internal import Foundation
public import ResourceGuard
internal import ResourceGuardRedis

extension Service.Start {
    /// The issuer whose tokens are accepted.
    public var issuer: String { flags["--issuer"] ?? "http://127.0.0.1:8083" }

    /// The secret of `--client-id`.
    public func clientSecret() throws(UsageError) -> String {
        guard let secret = environment["CLIENT_SECRET"], !secret.isEmpty else {
            throw UsageError("put the client's secret into the variable CLIENT_SECRET")
        }
        return secret
    }

    /// The guard of this service.
    ///
    /// A signature says that a token was issued, not that it was not revoked since. So the guard asks at each
    /// request: the shared token store where `--redis` names it, else the authorization server where
    /// `--client-id` names a client that owns the resource. With neither, a revoked token works until it expires.
    public func resourceGuard(_ resource: String) throws -> ResourceGuard {
        var configuration = ResourceGuard.Configuration()
        configuration.metadataURL = "http://\(listen)/.well-known/oauth-protected-resource"
        configuration.log = { log("\(resource): \($0)") }
        return try ResourceGuard(
            issuer: issuer, resource: resource, tokenCheck: try tokenCheck(), configuration: configuration)
    }

    private func tokenCheck() throws -> (any TokenCheck)? {
        if let url = flags["--redis"] ?? environment["REDIS_URL"] {
            return try RedisTokenCheck(url: url)
        }
        guard let clientID = flags["--client-id"] else { return nil }
        return try IntrospectionCheck(
            endpoint: issuer + "/oauth/introspect", clientID: clientID, clientSecret: try clientSecret())
    }
}
