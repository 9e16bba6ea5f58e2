internal import HTTP

extension TokenCases {
    /// Client authentication with the secrets that the server made.
    static let authentication: [ServerCase] = [
        ServerCase("T1 Basic") { try await $0.token().isToken(for: both, scope: "read") },
        ServerCase("T1 in the form body") {
            try await $0.token(by: .post("gateway")).isToken(for: both, scope: "read")
        },
        ServerCase("T6 Basic and client_secret in the body, the same") {
            let secret = $0.server.scenario.secret(of: "gateway")
            try await $0.token("client_secret=\(secret)").isError(400, "invalid_request")
        },
        ServerCase("T6 Basic and client_secret in the body, another") {
            try await $0.token("client_secret=other").isError(400, "invalid_request")
        },
        ServerCase("T6 Basic and both client_id and client_secret in the body") {
            let secret = $0.server.scenario.secret(of: "gateway")
            try await $0.token("client_id=gateway&client_secret=\(secret)").isError(400, "invalid_request")
        },
        ServerCase("B6 Basic and a client assertion") {
            let type = "urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer"
            try await $0.token("client_assertion_type=\(type)&client_assertion=a.b.c")
                .isError(400, "invalid_request")
        },
        ServerCase("A25 a client assertion of dots, which is no authentication here") {
            let type = "urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer"
            let dots = String(repeating: ".", count: 50_000)
            try await $0.token("client_assertion_type=\(type)&client_assertion=\(dots)", by: .none)
                .has(statusIn: [400, 401])
        },
        ServerCase("T7 Basic and the same client_id in the body") {
            try await $0.token("client_id=gateway").isToken(for: both, scope: "read")
        },
        ServerCase("T7 Basic and another client_id in the body") {
            try await $0.token("client_id=app").isError(400, "invalid_request")
        },
        ServerCase("T8 no authentication") { try await $0.token(by: .none).isUnauthenticated() },
        ServerCase("T8 client_id alone") {
            try await $0.token("client_id=gateway", by: .none).isUnauthenticated()
        },
        ServerCase("T8 client_id with an empty secret") {
            try await $0.token(by: .post("gateway", secret: "")).isUnauthenticated()
        },
        ServerCase("T8 a secret without client_id") {
            try await $0.token("client_secret=x", by: .none).isUnauthenticated()
        },
        ServerCase("two Authorization headers") {
            let header = Credentials.basic("gateway").header($0.server.scenario) ?? ""
            try await $0.token(more: [HTTPField("Authorization", header)]).isError(400, "invalid_request")
        },
        ServerCase("a client registered for Basic alone, in the body") {
            try await $0.token(by: .post("basic-only")).isError(400, "unauthorized_client")
        },
        ServerCase("a client registered for Basic alone, by Basic") {
            try await $0.token(by: .basic("basic-only")).isToken(for: book, scope: "read")
        },
        ServerCase("a client registered for the body alone, by Basic") {
            try await $0.token(by: .basic("post-only")).isError(400, "unauthorized_client")
        },
        ServerCase("a client registered for the body alone, in the body") {
            try await $0.token(by: .post("post-only")).isToken(for: book, scope: "read")
        },
        ServerCase("the method a client may not use is not told to one who does not know its secret") {
            try await $0.token(by: .post("basic-only", secret: "wrong")).isUnauthenticated()
        },
    ]

    /// The Authorization header in forms that are none, or nearly.
    static let schemes: [ServerCase] =
        ["basic", "BASIC", "bAsIc", "Basic "].map { scheme in
            ServerCase("T9 B5 the scheme '\(scheme)'") {
                try await $0.token(by: .header("\(scheme) \(good($0))")).isToken(for: both, scope: "read")
            }
        }

    static let malformedHeaders: [ServerCase] = malformed.map { name, value in
        ServerCase("T9 B5 \(name)") {
            try await $0.token(by: .header(value(good($0)))).isUnauthenticated()
        }
    }

    private static func good(_ dialogue: Dialogue) -> String {
        String((Credentials.basic("gateway").header(dialogue.server.scenario) ?? "").dropFirst(6))
    }

    private static let malformed: [(String, @Sendable (String) -> String)] = [
        ("another scheme", { "SOMETHING \($0)" }),
        ("the scheme Bearer", { "Bearer \($0)" }),
        ("no scheme", { $0 }),
        ("a scheme that begins alike", { "Basically \($0)" }),
        ("no credentials", { _ in "Basic" }),
        ("two words", { _ in "Basic a b" }),
        ("two credentials", { "Basic \($0) \($0)" }),
        ("two credentials with a comma", { "Basic \($0), Basic \($0)" }),
        ("a tab for the space", { "Basic\t\($0)" }),
        ("no base64", { _ in "Basic !!!!" }),
        ("base64 without a colon", { _ in "Basic Z2F0ZXdheQ==" }),
        ("base64 of nothing", { _ in "Basic ====" }),
        ("a colon alone", { _ in "Basic Og==" }),
        ("no client id", { _ in "Basic OnNlY3JldA==" }),
        ("garbage after the padding", { _ in "Basic Z2F0ZXdheTp4eA==zz" }),
        ("garbage within", { "Basic \($0.prefix(8))*\($0.dropFirst(9))" }),
        ("base64url", { _ in "Basic Z2F0ZXdheTo_Pz8_" }),
        ("padding missing", { _ in "Basic Z2F0ZXdheTp4eA" }),
        ("bits left over", { _ in "Basic Z2F0ZXdheTp4eB==" }),
        ("8 kB", { _ in "Basic " + String(repeating: "QUJD", count: 2100) }),
        ("a NUL in the secret", { _ in "Basic Z2F0ZXdheToAAAA=" }),
        ("the same with more after it", { "Basic \($0)," }),
    ]

    /// Secrets that people chose, and how clients send them.
    static let brought: [ServerCase] = [
        accepted("T1 form-encoded", .basic("1PpG/Q 1")),
        accepted("T1 in the form body", .post("1PpG/Q 1")),
        accepted("T2 the whole pair raw", .raw("1PpG/Q 1:z/tZ9V+u:X2/8=%&£€")),
        accepted("B1 form-encoded, space as +", .basic("a b:c%/é+")),
        accepted(
            "B1 form-encoded, space as %20",
            .raw("a%20b%3Ac%25%2F%C3%A9%2B:p%2B%25%3A%26%3D%20%C3%BC")),
        accepted(
            "B1 form-encoded, lower-case digits",
            .raw("a+b%3ac%25%2f%c3%a9%2b:p%2b%25%3a%26%3d+%c3%bc")),
        accepted("T2 B2 a plus, raw", .raw("plus:a+b")),
        accepted("T2 B2 a plus, encoded", .basic("plus")),
        accepted("T2 B2 a percent sign without digits, raw", .raw("no-escape:5^%zz")),
        accepted("T2 B2 a percent sign alone, raw", .raw("percent:%")),
        accepted("T2 B2 a percent sign alone, encoded", .raw("percent:%25")),
        accepted("T2 an escape that is the secret's own text, raw", .raw("escape:100%41")),
        accepted("T2 an escape that is the secret's own text, encoded", .basic("escape")),
        refused("T2 neither reading is right", .raw("escape:100%42")),
        refused("T2 the decoded text of a secret that has an escape", .raw("escape:100A")),
        accepted("T3 B3 colons, raw", .raw("colons:a:b:c")),
        accepted("T3 B3 colons, encoded", .basic("colons")),
        refused("T3 B3 up to the second colon", .raw("colons:a:b")),
        refused("T3 B3 up to the first", .raw("colons:a")),
        refused("T3 B3 a colon more", .raw("colons:a:b:c:")),
        accepted("B4 UTF-8, raw", .raw("umlaut:§ü")),
        accepted("B4 UTF-8, encoded", .basic("umlaut")),
        refused("B4 the same in Latin-1", .raw(Array("umlaut:".utf8) + [0xA7, 0xFC])),
        refused("B4 bytes that are no UTF-8", .raw(Array("umlaut:".utf8) + [0xFF, 0xFE])),
        refused("B4 a NUL", .raw(Array("umlaut:".utf8) + [0x00])),
        refused("B4 a NUL after the secret", .raw(Array("umlaut:§ü".utf8) + [0x00])),
        accepted("T10 a secret of 100 characters", .basic("long")),
        refused(
            "T10 its first 72",
            .basic("long", secret: String(String(repeating: "0123456789", count: 8).prefix(72)))),
        refused(
            "T10 its first 99", .basic("long", secret: String(repeating: "0123456789", count: 10).dropLastOne)
        ),
        refused("T10 one more", .basic("long", secret: String(repeating: "0123456789", count: 10) + "0")),
    ]

    private static func accepted(_ name: String, _ credentials: Credentials) -> ServerCase {
        ServerCase(name) { try await $0.token(by: credentials).isToken(for: book, scope: "read") }
    }

    private static func refused(_ name: String, _ credentials: Credentials) -> ServerCase {
        ServerCase(name) { try await $0.token(by: credentials).isUnauthenticated() }
    }

    /// Who used Basic is challenged to use it, and nobody else.
    static let challenges: [ServerCase] = [
        ("by Basic, a wrong secret", .basic("gateway", secret: "wrong"), true),
        ("by Basic, an unknown client", .basic("nobody", secret: "wrong"), true),
        ("by another scheme", .header("Bearer abc"), true),
        ("in the body, a wrong secret", .post("gateway", secret: "wrong"), false),
        ("in the body, an unknown client", .post("nobody", secret: "wrong"), false),
        ("no credentials", .none, false),
    ].map { (name: String, credentials: Credentials, isChallenged: Bool) in
        ServerCase("B12 401 and \(isChallenged ? "a" : "no") challenge: \(name)") {
            let answer = try await $0.token(by: credentials).isError(401, "invalid_client")
            let challenges = answer.response.values("www-authenticate")
            let isRight = challenges.map { $0.hasPrefix("Basic realm=\"") } == (isChallenged ? [true] : [])
            $0.expect(isRight, "the challenges are \(challenges)")
        }
    }

    /// One answer for all reasons (B13), so that nobody learns which client ids there are.
    static let failures: [ServerCase] = [
        ServerCase("B13 B14 unknown, wrong secret and disabled are answered alike, by Basic") {
            try await alike($0, good: .basic("disabled")) { .basic($0, secret: $1) }
        },
        ServerCase("B13 B14 unknown, wrong secret and disabled are answered alike, in the body") {
            try await alike($0, good: .post("disabled")) { .post($0, secret: $1) }
        },
        ServerCase("B13 a client id of another case is another client") {
            let secret = $0.server.scenario.secret(of: "gateway")
            try await $0.token(by: .basic("Gateway", secret: secret)).isUnauthenticated()
            try await $0.token(by: .basic("gateway ", secret: secret)).isUnauthenticated()
        },
    ]

    private static func alike(
        _ dialogue: Dialogue, good: Credentials, _ make: (String, String) -> Credentials
    ) async throws {
        let wrong = dialogue.server.scenario.secret(of: "app")
        let answers = [
            try await dialogue.token(by: make("nobody", wrong)),
            try await dialogue.token(by: make("gateway", wrong)),
            try await dialogue.token(by: make("disabled", wrong)), try await dialogue.token(by: good),
        ]
        let texts = answers.map { answer in
            answer.isUnauthenticated()
            return
                ([String(answer.response.status), answer.response.text]
                + answer.response.fields.filter { !["date", "x-request-id"].contains($0.name.lowercased()) }
                .map { "\($0.name): \($0.value)" }).joined(separator: "\n")
        }
        dialogue.expect(Set(texts).count == 1, "the answers differ:\n\(texts.joined(separator: "\n--\n"))")
    }
}

extension String {
    fileprivate var dropLastOne: String { String(dropLast()) }
}
