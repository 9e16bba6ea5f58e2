import Foundation
import LocalServer
import OAuth
import Synchronization
import TestSupport
import Testing
import TokenClient

/// A client whose secret is in a file.
struct SecretFileTests {
    private static let token = #"{"access_token":"t1","token_type":"Bearer","expires_in":3600}"#
    private static let refusal = #"{"error":"invalid_client","error_description":"check the secret"}"#

    private let folder: TemporaryDirectory
    private let path: String
    private let book: ResourceID

    init() throws {
        folder = try TemporaryDirectory()
        path = folder.file("secret")
        book = try ResourceID("RESOURCE_ID_BOOK")
    }

    private func write(_ content: String) throws {
        try content.write(toFile: path, atomically: true, encoding: .utf8)
    }

    private func client(_ server: LocalServer, deadline: Duration = .seconds(10)) throws -> TokenClient {
        var configuration = TokenClient.Configuration()
        configuration.deadline = deadline
        return try TokenClient(
            tokenEndpoint: server.url, clientID: "gateway", clientSecretFile: path, authentication: .post,
            configuration: configuration)
    }

    private static func secret(_ request: LocalRequest) -> String {
        request.body.components(separatedBy: "client_secret=").last ?? ""
    }

    @Test func `the file is read at each request for a token, and a token that is kept needs none`()
        async throws
    {
        let server = try LocalServer { _ in .json(Self.token) }
        try write("first\n")
        let client = try client(server)
        _ = try await client.token(resource: book, scopes: ["read"])
        try write("second\n")
        _ = try await client.token(resource: book, scopes: ["write"])
        try FileManager.default.removeItem(atPath: path)
        #expect(try await client.token(resource: book, scopes: ["read"]).value == "t1")
        #expect(server.requests.map(Self.secret) == ["first", "second"])
    }

    @Test func `a secret that is refused is read again, and another is sent at once`() async throws {
        let path = path
        let server = try LocalServer { request in
            guard Self.secret(request) == "first" else { return .json(Self.token) }
            try? "second".write(toFile: path, atomically: true, encoding: .utf8)
            return .json(Self.refusal, status: 401)
        }
        try write("first")
        let token = try await client(server).token(resource: book)
        #expect(token.value == "t1")
        #expect(server.requests.map(Self.secret) == ["first", "second"])
    }

    @Test func `a secret that is refused and stays is sent once, and one that comes later is taken`()
        async throws
    {
        let server = try LocalServer { request in
            Self.secret(request) == "second" ? .json(Self.token) : .json(Self.refusal, status: 401)
        }
        try write("first")
        let client = try client(server)
        let error = await #expect(throws: TokenClientError.self) { try await client.token(resource: book) }
        #expect(
            error?.reason == .refused(status: 401, code: "invalid_client", explanation: "check the secret"))
        #expect(server.requests.count == 1)
        try write("second")
        #expect(await eventually { (try? await client.token(resource: book)) != nil })
        #expect(server.requests.map(Self.secret) == ["first", "second"])
    }

    @Test func `a file that is out of order for a while costs another attempt, and no token`() async throws {
        let server = try LocalServer { _ in .json(Self.token) }
        try write("first")
        let client = try client(server, deadline: .seconds(60))
        try write("")
        async let token = client.token(resource: book)
        try await Task.sleep(for: .milliseconds(500))
        try write("second")
        #expect(try await token.value == "t1")
        #expect(server.requests.map(Self.secret) == ["second"])
    }

    @Test(arguments: [
        ("", "has no secret in it"), ("two\nlines", "is not one line of text in UTF-8"),
        (String(repeating: "s", count: 5000), "has more than 4 KiB: it is another file"),
    ])
    func `a file that stays out of order is named, and nothing of it`(content: String, what: String)
        async throws
    {
        let server = try LocalServer { _ in .json(Self.token) }
        try write("first")
        let client = try client(server, deadline: .milliseconds(300))
        try write(content)
        let error = await #expect(throws: TokenClientError.self) { try await client.token(resource: book) }
        #expect(
            error?.description
                == "clientSecretFile: the file \(path) \(what) "
                + #"(client "gateway", resource "RESOURCE_ID_BOOK", all scopes)"#)
        #expect(server.requests.isEmpty)
    }

    @Test func `a file without a secret is a configuration error`() throws {
        for make in [
            { (file: String) throws in
                try TokenClient(issuer: "https://auth.example", clientID: "c", clientSecretFile: file)
            },
            { try TokenClient(tokenEndpoint: "https://auth.example/t", clientID: "c", clientSecretFile: $0) },
        ] {
            let error = #expect(throws: TokenClient.ConfigurationError.self) { _ = try make(path) }
            #expect(
                error?.description
                    == "clientSecretFile: the file \(path) cannot be read: No such file or directory")
        }
    }

    @Test func `nothing prints the secret`() throws {
        try write("the-secret")
        let client = try TokenClient(issuer: "https://auth.example", clientID: "c", clientSecretFile: path)
        var dumped = ""
        dump(client, to: &dumped)
        #expect(!dumped.contains("the-secret") && dumped.contains("TokenClient"))
    }
}
