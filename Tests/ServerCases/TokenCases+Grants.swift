internal import JOSE

extension TokenCases {
    /// The `scope` parameter.
    static let scopes: [ServerCase] =
        [
            ("T14 B17 an empty scope counts as none", "scope=", both, "read"),
            ("T14 B17 a space counts as none", "scope=%20", both, "read"),
            ("T14 B18 duplicates fold", "scope=read%20%20read", both, "read"),
            ("T14 B18 spaces around", "scope=+read+", both, "read"),
            ("T15 write is held at the review alone", "scope=write", review, "write"),
            ("T15 both scopes are held at the review alone", "scope=write+read", review, "read write"),
            ("T16 neither scope nor resource", "", both, "read"),
            ("T16 a resource and no scope", "resource=RESOURCE_ID_REVIEW", review, "read write"),
            (
                "T16 a resource and one of its scopes", "resource=RESOURCE_ID_REVIEW&scope=read", review,
                "read"
            ),
        ].map { name, more, audience, scope in
            ServerCase(name) { try await $0.token(more).isToken(for: audience, scope: scope) }
        }

    static let malformedScopes: [ServerCase] = badScopes.map { name, scope in
        ServerCase("T14 B18 \(name)") { try await $0.token("scope=\(scope)").isError(400, "invalid_scope") }
    }

    static let largeScopes: [ServerCase] = [
        ServerCase("T14 a scope of 10 kB") {
            try await $0.token("scope=\(String(repeating: "a", count: 10_000))")
                .isError(400, "invalid_scope")
        },
        ServerCase("B18 ten thousand scopes") {
            let scope = (0..<10_000).map { "s\($0)" }.joined(separator: "+")
            try await $0.token("scope=\(scope)").isError(400, "invalid_scope")
        },
    ]

    private static let badScopes = [
        ("a line feed", "read%0Awrite"), ("a carriage return and a header", "a%0d%0aX:%20y"),
        ("a tab", "read%09write"), ("a quotation mark", "a%22b"), ("a backslash", "a%5Cb"),
        ("a letter beyond ASCII", "%C3%A9"), ("DEL", "a%7F"), ("a no-break space", "read%C2%A0write"),
        ("another case", "Read"), ("one that nobody has", "admin"),
        ("a known and an unknown one", "read+admin"),
        ("a comma between", "read,write"), ("a prefix", "rea"), ("a longer one", "readonly"),
    ]

    /// Resources and grants.
    static let grants: [ServerCase] = [
        ServerCase("T17 a scope that is not granted at the resource") {
            try await $0.token("resource=RESOURCE_ID_BOOK&scope=write").isError(400, "invalid_scope")
        },
        ServerCase("T17 a scope that is granted at one of two resources") {
            try await $0.token("resource=RESOURCE_ID_BOOK&resource=RESOURCE_ID_REVIEW&scope=write")
                .isError(400, "invalid_scope")
        },
        ServerCase("T18 unknown and not granted are answered alike") {
            let unknown = try await $0.token("resource=RESOURCE_ID_NOWHERE").isError(400, "invalid_target")
            let denied = try await $0.token("resource=RESOURCE_ID_GATEWAY").isError(400, "invalid_target")
            let malformed = try await $0.token("resource=a%22b").isError(400, "invalid_target")
            $0.expect(unknown.response.text == denied.response.text, "the answers differ")
            $0.expect(unknown.response.text == malformed.response.text, "the answers differ")
        },
        ServerCase("T18 the resource in another case") {
            try await $0.token("resource=resource_id_book").isError(400, "invalid_target")
        },
        ServerCase("T29 a client without a grant") {
            try await $0.token(by: .basic("no-grant")).isError(400, "invalid_scope")
            try await $0.token("scope=read", by: .basic("no-grant")).isError(400, "invalid_scope")
            try await $0.token("resource=RESOURCE_ID_BOOK", by: .basic("no-grant"))
                .isError(400, "invalid_target")
        },
        ServerCase("T29 B17 a client whose grants have no scope in common") {
            try await $0.token(by: .basic("apart")).isError(400, "invalid_scope")
            try await $0.token("scope=read+write", by: .basic("apart")).isError(400, "invalid_scope")
            try await $0.token("scope=write", by: .basic("apart")).isToken(for: review, scope: "write")
            try await $0.token("resource=RESOURCE_ID_BOOK", by: .basic("apart"))
                .isToken(for: book, scope: "read")
        },
        ServerCase("the app gets a token for the gateway alone") {
            try await $0.token(by: .basic("app")).isToken(for: ["RESOURCE_ID_GATEWAY"], scope: "read")
            try await $0.token("resource=RESOURCE_ID_BOOK", by: .basic("app")).isError(400, "invalid_target")
        },
    ]

    /// The answer with a token.
    static let answers: [ServerCase] = [
        ServerCase("T25 B16 there is no refresh token") {
            let exchange = try await $0.token()
            let names = exchange.response.json?.members.map(\.name).sorted() ?? []
            $0.expect(
                names == ["access_token", "expires_in", "scope", "token_type"], "the members are \(names)")
        },
        ServerCase("T28 a second token leaves the first as it is") {
            let first = try await $0.issue()
            let second = try await $0.issue()
            $0.expect(first != second, "the tokens are the same")
            try await $0.introspect(first).isActive()
            try await $0.introspect(second).isActive()
        },
        ServerCase("B19 the lifetime is the client's") {
            try await $0.token(by: .basic("brief")).isToken(for: book, scope: "read", lifetime: 1)
            let token = IssuedToken(try await $0.issue())
            $0.expect(
                token.map { $0.seconds("exp") - $0.seconds("iat") } == Int64(Scenario.lifetime),
                "exp - iat is not expires_in")
        },
        ServerCase("B19 iss is the issuer of the metadata, and kid is in the key set") {
            let token = IssuedToken(try await $0.issue())
            let metadata = try await $0.get("/.well-known/oauth-authorization-server").response.json
            $0.expect(metadata?["issuer"] == token?["iss"], "iss is not the metadata's issuer")
            let keys = try await $0.get("/.well-known/jwks.json").response.json?["keys"]?.array ?? []
            let ids = keys.compactMap { $0.object?["kid"]?.string }
            $0.expect(ids.contains(token?.header["kid"]?.string ?? ""), "kid is not published")
        },
    ]
}
