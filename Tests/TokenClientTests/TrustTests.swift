import Foundation
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

    private func client(
        _ issuer: String, _ trusted: TrustedCertificates, deadline: Duration = .seconds(60)
    ) throws -> TokenClient {
        var configuration = TokenClient.Configuration()
        configuration.deadline = deadline
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
            guard case .untrustedServer(let text) = error?.reason else {
                return #expect(Bool(false), "\(String(describing: error))")
            }
            #expect(text.hasPrefix("\(server.url)/.well-known/oauth-authorization-server: "), "\(text)")
            #expect(text.contains("name that authority's file in trustedCertificates"), "\(text)")
            #expect(error?.description.hasPrefix("\(text) (client \"gateway\", ") == true)
            #expect(server.requests.isEmpty)
        }
    }

    /// A file of the authority's that is half written later.
    private func halfWritten(
        _ body: (_ file: String, _ mend: @Sendable () throws -> Void) async throws -> Void
    )
        async throws
    {
        let folder = try TemporaryDirectory()
        let (file, whole) = (folder.file("ca.pem"), authority.certificateFile)
        try FileManager.default.copyItem(atPath: whole, toPath: file)
        try await body(file) {
            let good = try String(contentsOfFile: whole, encoding: .utf8)
            let isWhole = try String(contentsOfFile: file, encoding: .utf8) != good
            try (isWhole ? good : String(good.prefix(100))).write(
                toFile: file, atomically: true, encoding: .utf8)
        }
    }

    @Test func `a file that is half written for a while costs another attempt, and no token`() async throws {
        try await SecureServer.serve(
            as: authority.identity(for: "localhost"),
            answer: { $0 == "/oauth/token" ? Self.token : Self.metadata }
        ) { server in
            try await halfWritten { file, change in
                let client = try client(server.url, .file(file))
                try change()
                async let token = client.token(resource: book)
                try await Task.sleep(for: .milliseconds(500))
                try change()
                #expect(try await token.value == "t1")
            }
        }
    }

    @Test func `a file that stays half written makes the server unavailable, and the error names it`()
        async throws
    {
        try await SecureServer.serve(as: authority.identity(for: "localhost")) { server in
            try await halfWritten { file, change in
                let client = try client(server.url, .file(file), deadline: .seconds(1))
                try change()
                let error = await #expect(throws: TokenClientError.self) {
                    try await client.token(resource: book)
                }
                let cause =
                    "\(server.url)/.well-known/oauth-authorization-server: trustedCertificates: the file \(file) "
                    + "has a certificate that is malformed"
                #expect(error?.reason == .unavailable(reason: cause, retryAfter: nil))
            }
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
