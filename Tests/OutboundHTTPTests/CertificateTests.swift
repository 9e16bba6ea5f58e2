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

    private func unreachable(_ url: String, _ http: OutboundHTTP) async -> String {
        let error = await #expect(throws: OutboundError.self) { try await get(url, http) }
        guard case .unreachable(let text) = error else { return "reached: \(String(describing: error))" }
        return text
    }

    @Test func `https where the server speaks http: the error says what to look at`() async throws {
        let server = try LocalServer { _ in .json("{}") }
        let text = await unreachable("https://localhost:\(server.port)", try http())
        #expect(
            text.hasSuffix("; perhaps it speaks http there and not https: check the URL's scheme and port"),
            "\(text)")
        #expect(server.requests.isEmpty)
    }

    @Test func `http where the server speaks https: the error says what to look at`() async throws {
        try await SecureServer.serve(as: authority.identity(for: "localhost")) { server in
            let text = await unreachable("http://localhost:\(server.port)", try http())
            #expect(
                text.hasSuffix("; perhaps it speaks https there: check the URL's scheme and port"), "\(text)")
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

    private func failure(_ url: String, _ http: OutboundHTTP) async -> String {
        let error = await #expect(throws: OutboundError.self) { try await get(url, http) }
        return error?.description ?? "none"
    }

    private func become(_ file: String, _ content: String) throws {
        try content.write(toFile: file, atomically: true, encoding: .utf8)
    }

    @Test func `a file that is replaced counts from the next request on, and one that is gone is named`()
        async throws
    {
        let (folder, other) = (try TemporaryDirectory(), try TestAuthority())
        let file = folder.file("trusted.pem")
        try FileManager.default.copyItem(atPath: other.certificateFile, toPath: file)
        let http = try http(.file(file))
        try await SecureServer.serve(as: authority.identity(for: "localhost")) { server in
            #expect(await refusal(server.url, http).contains("not trusted"))
            try FileManager.default.removeItem(atPath: file)
            let text = await failure(server.url, http)
            #expect(
                text == "trustedCertificates: the file \(file) cannot be read: No such file or directory",
                "\(text)")
            try FileManager.default.copyItem(atPath: authority.certificateFile, toPath: file)
            try await expectAnswer(server.url, http)
            try become(file, TestCertificates.intermediate)
            #expect(await refusal(server.url, http).contains("not trusted"))
            #expect(server.requests.count == 1)
        }
    }

    @Test func `a file that became a pipe fails its own requests, and holds up no others`() async throws {
        let folder = try TemporaryDirectory()
        let file = folder.file("trusted.pem")
        try FileManager.default.copyItem(atPath: authority.certificateFile, toPath: file)
        let (http, other) = (try http(.file(file)), try http(.file(authority.certificateFile)))
        try await SecureServer.serve(as: authority.identity(for: "localhost")) { server in
            try FileManager.default.removeItem(atPath: file)
            try #require(mkfifo(file, 0o600) == 0)
            for _ in 1...3 {
                let text = await failure(server.url, http)
                #expect(text == "trustedCertificates: the file \(file) is no regular file", "\(text)")
                try await expectAnswer(server.url, other)
            }
        }
    }

    @Test(arguments: [
        (LongText(""), "is empty"),
        (LongText("-----BEGIN CERTIFICATE-----\nMIIBvjCC"), "has a certificate that is malformed"),
        (
            LongText(String(repeating: "\n", count: 1 << 20)),
            "has more than 1 MiB: it is another file"
        ),
    ])
    func `a file that is no good any more fails requests until it is`(before: LongText, trouble: String)
        async throws
    {
        let folder = try TemporaryDirectory()
        let (file, good) = (
            folder.file("trusted.pem"), try String(contentsOfFile: authority.certificateFile, encoding: .utf8)
        )
        try become(file, good)
        let http = try http(.file(file))
        try await SecureServer.serve(as: authority.identity(for: "localhost")) { server in
            try await expectAnswer(server.url, http)
            try become(file, before.text.count < 1000 ? before.text : before.text + good)
            let text = await failure(server.url, http)
            #expect(text == "trustedCertificates: the file \(file) \(trouble)")
            try become(file, good)
            try await expectAnswer(server.url, http)
        }
    }

    @Test func `what only libcurl finds wrong with a file is told with its name`() async throws {
        let folder = try TemporaryDirectory()
        let file = folder.file("trusted.pem")
        let good = try String(contentsOfFile: authority.certificateFile, encoding: .utf8)
        try become(file, good + "-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----\n")
        let http = try http(.file(file))
        try await SecureServer.serve(as: authority.identity(for: "localhost")) { server in
            let text = await failure(server.url, http)
            #expect(text.hasPrefix("trustedCertificates: the file \(file) cannot be used: "), "\(text)")
        }
    }

    @Test func `a pipe is refused at once, also from one who writes into it`() throws {
        let folder = try TemporaryDirectory()
        let file = folder.file("trusted.pem")
        try #require(mkfifo(file, 0o600) == 0)
        let start = ContinuousClock.now
        let error = #expect(throws: CertificateFileError.self) { try TrustedCertificates.file(file).opened() }
        #expect(error?.description == "the file \(file) is no regular file")
        #expect(start.duration(to: .now) < .seconds(4))
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
