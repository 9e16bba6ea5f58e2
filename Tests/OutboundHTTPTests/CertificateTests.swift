import Foundation
import LocalServer
import OutboundHTTP
import TestSupport
import Testing

/// TLS with servers for whom somebody vouches, or nobody.
struct CertificateTests {
    private let authority: TestAuthority

    init() throws { authority = try TestAuthority() }

    private func http(_ trusted: TrustedCertificates = .system) throws -> OutboundHTTP {
        OutboundHTTP(maximumBytes: 1000, maximumPending: 2, certificates: try trusted.opened())
    }

    private func get(_ url: String, _ http: OutboundHTTP) async throws -> Int {
        try await http.send(.get(EndpointURL(url + "/x")), deadline: .seconds(10)).status
    }

    private func expectAnswer(_ url: String, _ http: OutboundHTTP) async throws {
        let status = try await get(url, http)
        #expect(status == 200)
    }

    private func refusal(_ url: String, _ http: OutboundHTTP) async -> String {
        let error = await #expect(throws: OutboundError.self) { try await get(url, http) }
        guard case .untrusted(let text) = error else { return "not refused: \(String(describing: error))" }
        return text
    }

    @Test(arguments: [true, false])
    func `a server with a certificate that no authority signed gets no request`(
        signedByItself: Bool
    ) async throws {
        let identity = try authority.identity(for: "localhost", signedByItself: signedByItself)
        let http = try http()
        try await SecureServer.serve(as: identity) { server in
            let text = await refusal(server.url, http)
            #expect(text.hasPrefix("the server's certificate is not trusted: "), "\(text)")
            #expect(
                text.contains("trustedCertificates") && text.contains("update-ca-certificates"), "\(text)")
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `a private authority's file makes its servers trusted`() async throws {
        let http = try http(.file(authority.certificateFile))
        try await SecureServer.serve(as: authority.identity(for: "localhost")) { server in
            try await expectAnswer(server.url, http)
            #expect(server.requests == ["/x"])
        }
    }

    @Test func `a server's own certificate vouches for it, and for no other`() async throws {
        let (identity, other) = (
            try authority.identity(for: "localhost", signedByItself: true), try TestAuthority()
        )
        let http = try http(.file(identity.certificateFile))
        try await SecureServer.serve(as: identity) { server in try await expectAnswer(server.url, http)
        }
        try await SecureServer.serve(as: other.identity(for: "localhost")) { server in
            let text = await refusal(server.url, http)
            #expect(
                text.hasSuffix(
                    "only the certificates in \(identity.certificateFile) are (trustedCertificates)"))
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `a connection of one who trusts a server is not for one who does not`() async throws {
        let (trusting, other) = (try http(.file(authority.certificateFile)), try http())
        try await SecureServer.serve(as: authority.identity(for: "localhost")) { server in
            for _ in 1...3 {
                try await expectAnswer(server.url, trusting)
                #expect(await refusal(server.url, other).contains("not trusted"))
            }
            #expect(server.requests.count == 3)
        }
    }

    @Test func `the certificate is for the host that was asked (RFC 9110 §4.3.4), whoever signed it`()
        async throws
    {
        let http = try http(.file(authority.certificateFile))
        try await SecureServer.serve(as: authority.identity(for: "elsewhere.example")) { server in
            let text = await refusal(server.url, http)
            #expect(text.contains("localhost"), "\(text)")
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `a certificate that is over is not trusted`() async throws {
        let folder = try TemporaryDirectory()
        let file = folder.file("old.pem")
        try TestCertificates.intermediate.write(toFile: file, atomically: true, encoding: .utf8)
        let identity = TestAuthority.Identity(
            certificateFile: file, certificate: TestCertificates.server, key: TestCertificates.key)
        let http = try http(.file(file))
        try await SecureServer.serve(as: identity) { server in
            #expect(await refusal(server.url, http).contains("expired"))
        }
    }

    @Test func `a file that is replaced counts from the next connection on, and one that is gone is named`()
        async throws
    {
        let (folder, other) = (try TemporaryDirectory(), try TestAuthority())
        let file = folder.file("trusted.pem")
        try FileManager.default.copyItem(atPath: other.certificateFile, toPath: file)
        let http = try http(.file(file))
        try await SecureServer.serve(as: authority.identity(for: "localhost")) { server in
            #expect(await refusal(server.url, http).contains("not trusted"))
            try FileManager.default.removeItem(atPath: file)
            let text = await refusal(server.url, http)
            #expect(text.hasPrefix("the trusted certificates cannot be read: "), "\(text)")
            #expect(text.hasSuffix("; mend \(file), or name another file in trustedCertificates"), "\(text)")
            try FileManager.default.copyItem(atPath: authority.certificateFile, toPath: file)
            try await expectAnswer(server.url, http)
        }
    }

    @Test(arguments: [
        (nil, "cannot be read: No such file or directory"), ("", "is empty"),
        ("no PEM", "has no certificate in PEM (-----BEGIN CERTIFICATE-----)"),
        (TestCertificates.key, "has no certificate in PEM (-----BEGIN CERTIFICATE-----)"),
        (
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
            "has a certificate that is malformed"
        ),
        (TestCertificates.server + "-----BEGIN CERTIFICATE-----\nAA", "has a certificate that is malformed"),
        (String(repeating: "x", count: 1 << 20 + 1), "has more than 1 MiB: it is another file"),
    ])
    func `a file that cannot vouch for anything is refused, and named`(content: String?, trouble: String)
        throws
    {
        let folder = try TemporaryDirectory()
        let file = folder.file("trusted.pem")
        try content?.write(toFile: file, atomically: true, encoding: .utf8)
        let error = #expect(throws: CertificateFileError.self) { try TrustedCertificates.file(file).opened() }
        #expect(error?.description == "the file \(file) \(trouble)")
    }
}
