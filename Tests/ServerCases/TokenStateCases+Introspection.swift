internal import HTTP
internal import JOSE

extension TokenStateCases {
    /// What is told of a token.
    static let introspection: [ServerCase] = [
        ServerCase("I1 C3 the owner of a resource in aud is told the claims") {
            let token = try await $0.issue("resource=RESOURCE_ID_BOOK")
            let answer = try await $0.introspect(token, by: .basic("book")).isActive()
            isWhole(answer, of: token)
        },
        ServerCase("I1 C3 the owner of one of two resources in aud") {
            let token = try await $0.issue()
            try await $0.introspect(token, by: .basic("book")).isActive()
            try await $0.introspect(token, by: .basic("review")).isActive()
        },
        ServerCase("C16 A17 a client is told of its own token, with the types of RFC 7662") {
            let token = try await $0.issue("scope=read+write")
            let answer = try await $0.introspect(token).isActive()
            isWhole(answer, of: token)
        },
        ServerCase("C16 the caller authenticates in the body") {
            let token = try await $0.issue()
            try await $0.introspect(token, by: .post("gateway")).isActive()
        },
        ServerCase("C11 a hint changes nothing") {
            let token = try await $0.issue()
            for hint in ["access_token", "refresh_token", "nonsense", ""] {
                try await $0.introspect(token, more: "&token_type_hint=\(hint)").isActive()
            }
        },
        ServerCase("I2 C3 a token for another resource") {
            let token = try await $0.issue("resource=RESOURCE_ID_REVIEW")
            try await $0.introspect(token, by: .basic("book")).isInactive()
        },
        ServerCase("I6 C3 another client's token") {
            try await $0.introspect(try await $0.issue(), by: .basic("app")).isInactive()
        },
        ServerCase("I3 C2 C15 an expired token") {
            let token = try await $0.issue(to: "brief")
            try await $0.server.wait(until: IssuedToken(token)?.seconds("exp") ?? 0)
            try await $0.introspect(token, by: .basic("brief")).isInactive()
            try await $0.introspect(token, by: .basic("book")).isInactive()
        },
        ServerCase("I3 C2 a revoked token") {
            let token = try await $0.issue()
            try await $0.revoke(token).has(status: 200)
            try await $0.introspect(token).isInactive()
            try await $0.introspect(token, by: .basic("book")).isInactive()
        },
        ServerCase("I3 a token with a space after it") {
            try await $0.introspect(try await $0.issue() + " ").isInactive()
        },
    ]

    static let inactive: [ServerCase] = (garbage + notOurs).map { name, make in
        ServerCase("I3 C2 \(name)") { try await $0.introspect(try await make($0)).isInactive() }
    }

    private static func isWhole(_ answer: Exchange, of token: String) {
        guard let claims = IssuedToken(token)?.claims, let json = answer.response.json else { return }
        for member in claims.members {
            answer.dialogue.expect(
                json[member.name] == member.value, "\(member.name) is not as it is in the token")
        }
        answer.dialogue.expect(json["token_type"] == "Bearer", "token_type is not Bearer")
        answer.dialogue.expect(json.members.count == claims.members.count + 2, "there are more members")
    }

    /// Who may ask, at either endpoint.
    static let callers: [ServerCase] = paths.flatMap { path in
        [
            ServerCase("I4 C1 nobody, \(path)") {
                let form = "token=\(try await $0.issue())"
                try await $0.post(form, to: path, by: .none).isUnauthenticated()
                try await $0.post("\(form)&client_id=gateway", to: path, by: .none).isUnauthenticated()
            },
            ServerCase("I4 C1 a wrong secret, \(path)") {
                let token = try await $0.issue()
                let form = "token=\(token)"
                try await $0.post(form, to: path, by: .basic("gateway", secret: "wrong")).isUnauthenticated()
                try await $0.post(form, to: path, by: .post("gateway", secret: "wrong")).isUnauthenticated()
                try await $0.post(form, to: path, by: .basic("nobody", secret: "x")).isUnauthenticated()
                try await $0.post(form, to: path, by: .basic("disabled")).isUnauthenticated()
                try await $0.introspect(token).isActive()
            },
            ServerCase("I4 the token itself does not authenticate, \(path)") {
                let token = try await $0.issue()
                try await $0.post("token=\(token)", to: path, by: .header("Bearer \(token)"))
                    .isUnauthenticated()
            },
            ServerCase("T6 two methods, \(path)") {
                let form = "token=x&client_id=gateway&client_secret=x"
                try await $0.post(form, to: path, by: .basic("gateway")).isError(400, "invalid_request")
            },
        ]
    }

    /// What is said to one client is kept by no cache; `Invariants` looks at every other answer too.
    static let caching: [ServerCase] =
        (["/oauth/token"] + paths).flatMap { path in
            [
                ("200", .basic("gateway"), "", 200), ("400", .basic("gateway"), "&token=b&grant_type=x", 400),
                ("401", .basic("gateway", secret: "wrong"), "", 401),
            ].map { (name: String, credentials: Credentials, more: String, status: Int) in
                ServerCase("B15 no cache keeps the \(name), \(path)") {
                    let form = path == "/oauth/token" ? "grant_type=client_credentials" : "token=a"
                    let answer = try await $0.post(form + more, to: path, by: credentials)
                    answer.has(status: status).has("Cache-Control", "no-store").has("Pragma", "no-cache")
                    $0.expect(answer.response.value("etag") == nil, "there is an ETag")
                }
            }
        }

    /// Requests that are none, at either endpoint.
    static let malformedForms: [ServerCase] = paths.flatMap { path in
        [
            ("I5 C7 no token", ""), ("I5 an empty token", "token="),
            ("I5 C14 token twice", "token=a&token=a"),
            ("C11 the hint twice", "token=a&token_type_hint=a&token_type_hint=b"), ("T19 %00", "token=%00"),
            ("T19 %zz", "token=%zz"), ("T19 invalid UTF-8", "token=%FF"),
        ].map { name, form in
            ServerCase("\(name), \(path)") {
                try await $0.post(form, to: path, by: .basic("gateway")).isError(400, "invalid_request")
            }
        }
    }

    static let methods: [ServerCase] = paths.flatMap { path in
        ["GET", "HEAD", "PUT", "OPTIONS", "DELETE"].map { method in
            ServerCase("C14 \(method), \(path)") {
                try await $0.send(HTTPRequest(method: method, path: path))
                    .has(status: 405).has("Allow", "POST")
            }
        }
    }

    static let requests: [ServerCase] = paths.flatMap { path in
        [
            ServerCase("T11 JSON, \(path)") {
                try await $0.post(
                    #"{"token":"x"}"#, to: path, by: .basic("gateway"), contentType: "application/json"
                ).isError(400, "invalid_request")
            },
            ServerCase("T12 the token in the query, \(path)") {
                var request = HTTPRequest.form(
                    "", to: path, by: .basic("gateway"), scenario: $0.server.scenario)
                request.query = "token=x"
                try await $0.send(request).isError(400, "invalid_request")
            },
            ServerCase("T13 a slash at the end, \(path)") {
                try await $0.post("token=x", to: path + "/", by: .basic("gateway")).has(status: 404)
            },
        ]
    }
}
