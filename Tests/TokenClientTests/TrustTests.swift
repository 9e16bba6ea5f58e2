import LocalServer
import TestSupport
import Testing
import TokenClient

/// TLS with the authorization server.
struct TrustTests {
    private static let metadata = #"{"issuer":"URL","token_endpoint":"URL/oauth/token"}"#
    private static let token =
        #"{"access_token":"t1","token_type":"Bearer","expires_in":3600,"scope":"read"}"#

    private let authority: TestAuthority
    private let book: ResourceID

    init() throws {
        authority = try TestAuthority()
        book = try ResourceID("RESOURCE_ID_BOOK")
    }

    private func client(_ issuer: String, _ trusted: TrustedCertificates) throws -> TokenClient {
        var configuration = TokenClient.Configuration()
        configuration.deadline = .seconds(60)
        configuration.trustedCertificates = trusted
        return try TokenClient(
            issuer: issuer, clientID: "gateway", clientSecret: "secret", configuration: configuration)
    }

    @Test func `a server of a private authority is trusted by the authority's file`() async throws {
        try await SecureServer.serve(
            as: authority.identity(for: "localhost"),
            answer: { $0 == "/oauth/token" ? Self.token : Self.metadata }
        ) { server in
            let client = try client(server.url, .file(authority.certificateFile))
            let token = try await client.token(resource: book)
            #expect(token.value == "t1")
            #expect(server.requests == ["/.well-known/oauth-authorization-server", "/oauth/token"])
        }
    }

    @Test func `a server that is not trusted is given up at once, and the error says what to do`()
        async throws
    {
        try await SecureServer.serve(as: authority.identity(for: "localhost")) { server in
            let client = try client(server.url, .system)
            let start = ContinuousClock.now
            let error = await #expect(throws: TokenClientError.self) {
                try await client.token(resource: book)
            }
            #expect(start.duration(to: .now) < .seconds(20))
            guard case .untrustedServer(let text) = error else {
                return #expect(Bool(false), "\(String(describing: error))")
            }
            #expect(text.hasPrefix("\(server.url)/.well-known/oauth-authorization-server: "), "\(text)")
            #expect(text.contains("name that authority's file in trustedCertificates"), "\(text)")
            #expect(error?.description == text)
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `a file that cannot vouch for anything is a configuration error`() throws {
        let error = #expect(throws: TokenClient.ConfigurationError.self) {
            try client("https://auth.example", .file("/nonexistent/ca.pem"))
        }
        #expect(
            error?.description
                == "trustedCertificates: the file /nonexistent/ca.pem cannot be read: No such file or directory"
        )
    }
}
