internal import HTTP

extension TokenCases {
    /// Which parameters there are, and how often.
    static let repetitions: [ServerCase] = repeated.map { name, form in
        ServerCase("T4 B8 \(name)") {
            try await $0.post(form, to: "/oauth/token", by: .basic("gateway"))
                .isError(400, "invalid_request")
        }
    }

    static let parameters: [ServerCase] = [
        ServerCase("B8 client_secret twice") {
            try await $0.token("client_secret=x", by: .post("gateway")).isError(400, "invalid_request")
        },
        ServerCase("B8 client_id twice, in the body") {
            try await $0.token("client_id=gateway", by: .post("gateway")).isError(400, "invalid_request")
        },
        ServerCase("T5 resource twice, different") {
            try await $0.token("resource=RESOURCE_ID_BOOK&resource=RESOURCE_ID_REVIEW")
                .isToken(for: both, scope: "read")
        },
        ServerCase("T5 resource twice, the same") {
            try await $0.token("resource=RESOURCE_ID_BOOK&resource=RESOURCE_ID_BOOK")
                .isToken(for: book, scope: "read")
        },
        ServerCase("T5 resource twice, one of them not granted") {
            try await $0.token("resource=RESOURCE_ID_BOOK&resource=RESOURCE_ID_GATEWAY")
                .isError(400, "invalid_target")
        },
        ServerCase("B11 an unknown parameter is ignored") {
            try await $0.token("foo=1").isToken(for: both, scope: "read")
        },
    ]

    static let unusableGrantTypes: [ServerCase] = grantTypes.map { name, form, error in
        ServerCase("B11 \(name)") {
            try await $0.post(form, to: "/oauth/token", by: .basic("gateway")).isError(400, error)
        }
    }

    private static let repeated = [
        ("grant_type twice, the same", "grant_type=client_credentials&grant_type=client_credentials"),
        ("grant_type twice, different", "grant_type=client_credentials&grant_type=password"),
        ("grant_type twice, the first empty", "grant_type=&grant_type=client_credentials"),
        ("grant_type twice, one name encoded", "grant_type=client_credentials&grant%5Ftype=password"),
        ("scope twice, the same", "grant_type=client_credentials&scope=read&scope=read"),
        ("scope twice, different", "grant_type=client_credentials&scope=read&scope=write"),
        ("client_id twice", "grant_type=client_credentials&client_id=gateway&client_id=gateway"),
        ("client_assertion twice", "grant_type=client_credentials&client_assertion=a&client_assertion=a"),
        ("an unknown parameter twice", "grant_type=client_credentials&foo=1&foo=2"),
    ]

    private static let grantTypes = [
        ("no grant_type", "scope=read", "invalid_request"),
        ("no body", "", "invalid_request"),
        ("an empty grant_type", "grant_type=", "invalid_request"),
        ("a grant_type without value", "grant_type", "invalid_request"),
        ("the grant type password", "grant_type=password&username=a&password=b", "unsupported_grant_type"),
        ("the grant type refresh_token", "grant_type=refresh_token", "unsupported_grant_type"),
        ("the grant type authorization_code", "grant_type=authorization_code", "unsupported_grant_type"),
        ("a space after the grant type", "grant_type=client_credentials+", "unsupported_grant_type"),
        ("the grant type in upper case", "grant_type=CLIENT_CREDENTIALS", "unsupported_grant_type"),
        ("two grant types in one", "grant_type=client_credentials+password", "unsupported_grant_type"),
        ("GRANT_TYPE", "GRANT_TYPE=client_credentials", "invalid_request"),
    ]

    /// Form bodies that are malformed, or look so.
    static let malformedBodies: [ServerCase] = malformedForms.map { name, form in
        ServerCase("T19 B23 \(name)") { try await $0.token(form).isError(400, "invalid_request") }
    }

    static let harmlessBodies: [ServerCase] = harmlessForms.map { name, form in
        ServerCase("T19 B23 \(name)") { try await $0.token(form).isToken(for: both, scope: "read") }
    }

    static let sizes: [ServerCase] = [
        ServerCase("T19 bytes that are no UTF-8, not encoded") {
            let request = HTTPRequest.token("foo=", by: .basic("gateway"), scenario: $0.server.scenario)
            var broken = request
            broken.body += [0xC3, 0x28]
            try await $0.send(broken).isError(400, "invalid_request")
        },
        ServerCase("T20 more parameters than any request has") {
            let form = (0..<1000).map { "a\($0)=1" }.joined(separator: "&")
            try await $0.token(form).isError(400, "invalid_request")
        },
        ServerCase("B23 names nested 10,000 deep are one unknown name") {
            try await $0.token("a\(String(repeating: "[a]", count: 10_000))=1")
                .isToken(for: both, scope: "read")
        },
        ServerCase("T19 no name and no value at all") {
            try await $0.post("=&&=;", to: "/oauth/token", by: .basic("gateway"))
                .isError(400, "invalid_request")
        },
    ]

    private static let malformedForms = [
        ("%00 in a value", "scope=read%00"), ("%00 in an unknown value", "foo=%00"),
        ("%00 in a name", "foo%00=1"), ("%00 in the resource", "resource=RESOURCE_ID_BOOK%00"),
        ("invalid UTF-8 in a value", "scope=%C3%28"), ("a lone continuation byte", "foo=%80"),
        ("an overlong form", "foo=%C0%AF"), ("a surrogate", "foo=%ED%A0%80"),
        ("beyond the last code point", "foo=%F5%80%80%80"), ("%zz", "foo=%zz"), ("%GG", "foo=%GG"),
        ("a percent sign at the end", "foo=%"), ("one digit at the end", "foo=%4"),
        ("%zz in a name", "f%zzo=1"), ("a sign for a digit", "foo=%+1"),
    ]

    private static let harmlessForms = [
        ("empty pairs", "&&a=b&&"), ("an empty name", "=x"), ("a name without =", "foo"),
        ("several = in a value", "foo=a=b=c"), ("a semicolon separates nothing", "foo=1;scope=write"),
        ("an empty resource", "resource="), ("a character of four bytes", "foo=%F0%9F%94%91"),
    ]
}
