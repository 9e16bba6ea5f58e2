internal import HTTP
internal import JOSE

/// The cases of what everybody may read: keys, metadata, health.
package enum PublicCases {
    /// All of them.
    package static let all: [ServerCase] = [keys, metadata, health, methods, heads].flatMap { $0 }
    private static let paths = [jwks, document, "/healthz", "/readyz"]

    private static let jwks = "/.well-known/jwks.json"
    private static let document = "/.well-known/oauth-authorization-server"

    private static let keys: [ServerCase] = [
        ServerCase("B15 the key set can be cached, and asked for again") {
            let first = try await $0.get(jwks).has(status: 200)
                .has("Content-Type", "application/jwk-set+json").has("Cache-Control", "public, max-age=300")
            let tag = first.response.value("etag") ?? ""
            $0.expect(tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.count > 2, "no strong ETag: \(tag)")
            for condition in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
                try await $0.get(jwks, more: [HTTPField("If-None-Match", condition)])
                    .has(status: 304).has(body: "").has("ETag", tag)
            }
            for condition in ["\"x\"", "", tag.dropFirst().description] {
                try await $0.get(jwks, more: [HTTPField("If-None-Match", condition)])
                    .has(status: 200).has(body: first.response.text)
            }
        },
        ServerCase("G14 the key set has no private part") {
            let keys = try await $0.get(jwks).response.json?["keys"]?.array ?? []
            $0.expect(keys.count == 1, "there are \(keys.count) keys")
            for key in keys {
                let names = key.object?.members.map(\.name).sorted() ?? []
                $0.expect(
                    names == ["alg", "crv", "kid", "kty", "use", "x", "y"], "the members are \(names)")
                $0.expect(key.object?["alg"] == "ES256" && key.object?["use"] == "sig", "alg or use")
            }
        },
    ]

    private static let metadata: [ServerCase] = [
        ServerCase(
            "RFC 8414 B15: the metadata names the endpoints, and only methods that are there; it can be cached"
        ) {
            let answer = try await $0.get(document).has(status: 200).has("Content-Type", "application/json")
                .has("Cache-Control", "public, max-age=300")
            let issuer = $0.server.issuer
            let expected: [(String, JSONValue)] = [
                ("issuer", .string(issuer)), ("token_endpoint", .string("\(issuer)/oauth/token")),
                ("introspection_endpoint", .string("\(issuer)/oauth/introspect")),
                ("revocation_endpoint", .string("\(issuer)/oauth/revoke")),
                ("jwks_uri", .string("\(issuer)\(jwks)")), ("response_types_supported", []),
                ("grant_types_supported", ["client_credentials"]),
                (
                    "token_endpoint_auth_methods_supported",
                    ["client_secret_basic", "client_secret_post"]
                ),
            ]
            for (name, value) in expected {
                let found = answer.response.json?[name]
                $0.expect(found == value, "\(name) is \(found.map { "\($0)" } ?? "absent")")
            }
        }
    ]

    private static let health: [ServerCase] = [
        ServerCase("the process answers") { try await $0.get("/healthz").has(status: 200) },
        ServerCase("both stores answer") {
            let answer = try await $0.get("/readyz").has(status: 200).has("Cache-Control", "no-store")
            $0.expect(answer.response.json?["registry"] == "ok", "the registry is not ok")
            $0.expect(answer.response.json?["token_store"] == "ok", "the token store is not ok")
        },
    ]

    private static let methods: [ServerCase] = paths.flatMap { path in
        ["POST", "PUT", "DELETE", "OPTIONS"].map { method in
            ServerCase("405: \(method) \(path)") {
                try await $0.send(HTTPRequest(method: method, path: path))
                    .has(status: 405).has("Allow", "GET, HEAD")
            }
        }
    }

    private static let heads: [ServerCase] = paths.flatMap { path in
        [
            ServerCase("HEAD \(path)") {
                try await $0.send(HTTPRequest(method: "HEAD", path: path)).has(status: 200)
            },
            ServerCase("404: \(path)/") { try await $0.get(path + "/").has(status: 404) },
        ]
    }
}
