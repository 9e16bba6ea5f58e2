import HTTP
import JOSE

/// `GET /.well-known/oauth-authorization-server` (RFC 8414 §3).
enum MetadataEndpoint {
    /// Answers a request.
    static func respond(worker: Worker) -> Answer {
        let fields = [
            HTTPField("Content-Type", "application/json"), HTTPField("Cache-Control", "public, max-age=300"),
        ]
        return Answer(
            HTTPResponse(status: 200, fields: fields, body: document(issuer: worker.issuer.value)),
            outcome: "ok")
    }

    /// The document for an issuer.
    static func document(issuer: String) -> [UInt8] {
        let methods: JSONValue = .array(PresentedCredentials.Method.allCases.map { .string($0.rawValue) })
        return JSON.serialize([
            "issuer": .string(issuer),
            "token_endpoint": .string(issuer + Route.token.path),
            "introspection_endpoint": .string(issuer + Route.introspection.path),
            "revocation_endpoint": .string(issuer + Route.revocation.path),
            "jwks_uri": .string(issuer + Route.jwks.path),
            "response_types_supported": [],
            "grant_types_supported": [.string(ClientCredentials.grantType)],
            "token_endpoint_auth_methods_supported": methods,
            "introspection_endpoint_auth_methods_supported": methods,
            "revocation_endpoint_auth_methods_supported": methods,
        ])
    }
}
