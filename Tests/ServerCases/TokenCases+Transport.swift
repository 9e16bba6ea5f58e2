internal import HTTP

extension TokenCases {
    /// What the body says it is.
    static let formTypes: [ServerCase] =
        [
            "application/x-www-form-urlencoded", "application/x-www-form-urlencoded; charset=UTF-8",
            "application/x-www-form-urlencoded;charset=utf-8",
            "APPLICATION/X-WWW-FORM-URLENCODED", "Application/x-www-form-urlencoded ; Charset=\"UTF-8\"",
            "application/x-www-form-urlencoded;",
        ].map { (type: String) in
            ServerCase("T11 B10 the content type '\(type)'") {
                try await $0.token(contentType: type).isToken(for: both, scope: "read")
            }
        }

    static let otherTypes: [ServerCase] =
        [
            nil, "application/json", "text/plain", "multipart/form-data; boundary=x", "",
            "application/x-www-form-urlencoded; charset=utf-16",
            "application/x-www-form-urlencoded; charset=iso-8859-1",
            "application/x-www-form-urlencodedx", "x-www-form-urlencoded",
            "text/plain; application/x-www-form-urlencoded",
            "application/json, application/x-www-form-urlencoded",
        ].map { type in
            ServerCase("T11 B10 the content type " + (type.map { "'\($0)'" } ?? "missing")) {
                try await $0.token(contentType: type).isError(400, "invalid_request")
            }
        }

    static let contentTypes: [ServerCase] = [
        ServerCase("T11 a JSON body") {
            let body = #"{"grant_type":"client_credentials"}"#
            try await $0.post(
                body, to: "/oauth/token", by: .basic("gateway"), contentType: "application/json"
            ).isError(400, "invalid_request")
        },
        ServerCase("T11 two content types") {
            let second = HTTPField("Content-Type", "application/x-www-form-urlencoded")
            try await $0.token(more: [second]).isError(400, "invalid_request")
        },
    ]

    /// Where the request goes, and by which method.
    static let otherMethods: [ServerCase] =
        ["GET", "PUT", "HEAD", "OPTIONS", "DELETE", "PATCH", "TRACE", "FOO", "post"].map { method in
            ServerCase("T13 B9 \(method) on the token endpoint") {
                try await $0.send(HTTPRequest(method: method, path: "/oauth/token"))
                    .has(status: 405).has("Allow", "POST")
            }
        }

    static let otherPaths: [ServerCase] =
        ["/oauth/token/", "/OAuth/Token", "//oauth/token", "/oauth/token;x", "/oauth/%74oken", "/oauth", "/"]
        .map { path in
            ServerCase("T13 B25 the path \(path)") {
                let exchange = try await $0.post(
                    "grant_type=client_credentials", to: path, by: .basic("gateway"))
                exchange.has(status: 404)
            }
        }

    static let queries: [ServerCase] = [
        ServerCase("T12 B9 all parameters in the query") {
            let secret = $0.server.scenario.secret(of: "gateway")
            let query = "grant_type=client_credentials&client_id=gateway&client_secret=\(secret)"
            try await inQuery($0, query, body: "", by: .none).isError(400, "invalid_request")
        },
        ServerCase("T12 B9 a good body and the secret in the query too") {
            let secret = $0.server.scenario.secret(of: "gateway")
            try await inQuery(
                $0, "client_secret=\(secret)", body: "grant_type=client_credentials", by: .basic("gateway")
            ).isError(400, "invalid_request")
        },
        ServerCase("T12 an empty query") {
            try await inQuery($0, "", body: "grant_type=client_credentials", by: .basic("gateway"))
                .has(statusIn: [200, 400])
        },
    ]

    private static func inQuery(
        _ dialogue: Dialogue, _ query: String, body: String, by credentials: Credentials
    ) async throws -> Exchange {
        var request = HTTPRequest.form(
            body, to: "/oauth/token", by: credentials, scenario: dialogue.server.scenario)
        request.query = query
        return try await dialogue.send(request)
    }
}
