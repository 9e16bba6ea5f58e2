import Foundation
import LocalServer
import OAuth
import Synchronization
import Testing
import TokenClient

struct TokenClientTests {
    private static func tokenAnswer(_ value: String, expiresIn: Int = 3600) -> LocalReply {
        .json(
            #"{"access_token":"\#(value)","token_type":"Bearer","expires_in":\#(expiresIn),"scope":"read"}"#)
    }

    private static func client(
        _ server: LocalServer, authentication: TokenClient.Authentication = .basic,
        deadline: Duration = .seconds(10)
    ) throws -> TokenClient {
        var configuration = TokenClient.Configuration()
        configuration.deadline = deadline
        return try TokenClient(
            tokenEndpoint: server.url + "/oauth/token", clientID: "gateway", clientSecret: "p+%:&= ü",
            authentication: authentication, configuration: configuration)
    }

    private let book = Result { try ResourceID("RESOURCE_ID_BOOK") }

    @Test func `a token is asked for as RFC 6749 §4.4.2 and RFC 8707 say, and kept`() async throws {
        let server = try LocalServer { _ in Self.tokenAnswer("t1") }
        let client = try Self.client(server)
        for _ in 1...3 {
            let token = try await client.token(resource: book.get(), scopes: ["read", "write"])
            #expect(token.authorizationHeader == "Bearer t1")
        }
        let request = try #require(server.requests.first)
        #expect(server.requests.count == 1)
        #expect(request.method == "POST" && request.target == "/oauth/token")
        #expect(request.body == "grant_type=client_credentials&resource=RESOURCE_ID_BOOK&scope=read+write")
        #expect(request.fields["content-type"] == ["application/x-www-form-urlencoded"])
        let basic = try #require(request.fields["authorization"]?.first?.dropFirst(6))
        let decoded = try #require(Data(base64Encoded: String(basic)))
        #expect(String(decoding: decoded, as: UTF8.self) == "gateway:p%2B%25%3A%26%3D+%C3%BC")
    }

    @Test func `client_secret_post sends the secret in the form alone`() async throws {
        let server = try LocalServer { _ in Self.tokenAnswer("t1") }
        _ = try await Self.client(server, authentication: .post).token(resource: book.get())
        let request = try #require(server.requests.first)
        #expect(request.fields["authorization"] == nil)
        #expect(request.body.hasSuffix("&client_id=gateway&client_secret=p%2B%25%3A%26%3D+%C3%BC"))
        #expect(!request.body.contains("scope="))
    }

    @Test func `the token endpoint is found in the issuer's metadata, once`() async throws {
        let base = Mutex("")
        let server = try LocalServer { request in
            let url = base.withLock { $0 }
            guard request.method == "GET" else { return Self.tokenAnswer("t1") }
            return .json(#"{"issuer":"\#(url)/a","token_endpoint":"\#(url)/a/token"}"#)
        }
        base.withLock { $0 = server.url }
        let client = try TokenClient(issuer: server.url + "/a", clientID: "c", clientSecret: "s")
        _ = try await client.token(resource: book.get(), scopes: ["read"])
        _ = try await client.token(resource: book.get(), scopes: ["write"])
        #expect(server.count("/.well-known/oauth-authorization-server/a") == 1)
        #expect(server.count("/a/token") == 2)
    }

    @Test func `an endpoint that is gone is looked for again in the metadata`() async throws {
        let place = Mutex("")
        let old = try LocalServer { _ in Self.tokenAnswer("old") }
        let new = try LocalServer { _ in Self.tokenAnswer("new") }
        place.withLock { $0 = old.url }
        let issuer = Mutex("")
        let metadata = try LocalServer { _ in
            let (issuer, place) = (issuer.withLock { $0 }, place.withLock { $0 })
            return .json(#"{"issuer":"\#(issuer)","token_endpoint":"\#(place)/token"}"#)
        }
        issuer.withLock { $0 = metadata.url }
        var configuration = TokenClient.Configuration()
        configuration.deadline = .seconds(1)
        let client = try TokenClient(
            issuer: metadata.url, clientID: "c", clientSecret: "s", configuration: configuration)
        #expect(
            try await client.token(resource: book.get(), scopes: ["read"]).authorizationHeader == "Bearer old"
        )
        old.stop()
        place.withLock { $0 = new.url }
        let error = await #expect(throws: TokenClientError.self) {
            try await client.token(resource: book.get(), scopes: ["write"])
        }
        guard case .unavailable = error?.reason else { throw try #require(error) }
        let token = try await client.token(resource: book.get(), scopes: ["delete"])
        #expect(token.authorizationHeader == "Bearer new")
    }

    /// The metadata is asked for again only where something else than a token endpoint (RFC 6749 §5.2) answers.
    @Test(arguments: [
        (401, #"{"error":"invalid_client"}"#, 1), (400, #"{"error":"invalid_target"}"#, 1),
        (400, "Bad Request", 2), (404, #"{"error":"not found"}"#, 2), (200, "{}", 2),
    ])
    func `a refusal by the token endpoint is no reason to look where it is`(
        status: Int, body: String, lookups: Int
    ) async throws {
        let base = Mutex("")
        let server = try LocalServer { request in
            let url = base.withLock { $0 }
            guard request.method == "GET" else { return .json(body, status: status) }
            return .json(#"{"issuer":"\#(url)","token_endpoint":"\#(url)/token"}"#)
        }
        base.withLock { $0 = server.url }
        let client = try TokenClient(issuer: server.url, clientID: "c", clientSecret: "s")
        await #expect(throws: TokenClientError.self) {
            try await client.token(resource: book.get(), scopes: ["read"])
        }
        await #expect(throws: TokenClientError.self) {
            try await client.token(resource: book.get(), scopes: ["write"])
        }
        #expect(server.count("/.well-known/oauth-authorization-server") == lookups)
        #expect(server.count("/token") == 2)
    }

    @Test func `a metadata document of another issuer is refused`() async throws {
        let server = try LocalServer { _ in
            .json(#"{"issuer":"https://evil.example","token_endpoint":"https://evil.example/token"}"#)
        }
        let client = try TokenClient(issuer: server.url, clientID: "c", clientSecret: "s")
        let error = await #expect(throws: TokenClientError.self) {
            try await client.token(resource: book.get())
        }
        #expect(
            error?.description
                == #"the issuer's metadata is for another issuer: "https://evil.example" instead of "\#(server.url)" "#
                + "(\(server.url)/.well-known/oauth-authorization-server) "
                + #"(client "c", resource "RESOURCE_ID_BOOK", all scopes)"#)
    }

    @Test(arguments: [
        (
            "http", "/",
            #"is for another issuer: "ISSUER" instead of "ISSUER/": give this service the issuer without the slash"#
        ),
        ("https", "", "; perhaps it speaks http there and not https: check the URL's scheme and port"),
    ])
    func `an issuer that is nearly right: the error says what to do`(
        scheme: String, end: String, cause: String
    ) async throws {
        let base = Mutex("")
        let server = try LocalServer { _ in
            let url = base.withLock { $0 }
            return .json(#"{"issuer":"\#(url)","token_endpoint":"\#(url)/token"}"#)
        }
        base.withLock { $0 = server.url }
        var configuration = TokenClient.Configuration()
        configuration.deadline = .seconds(1)
        let client = try TokenClient(
            issuer: server.url.replacing("http:", with: scheme + ":") + end, clientID: "c",
            clientSecret: "s", configuration: configuration)
        let error = await #expect(throws: TokenClientError.self) {
            try await client.token(resource: book.get())
        }
        let text = String(describing: error)
        #expect(error?.description.contains(cause.replacing("ISSUER", with: server.url)) == true, "\(text)")
    }

    @Test func `a hundred who wait share one request`() async throws {
        let gate = Gate()
        let server = try LocalServer { _ in
            gate.pass()
            return Self.tokenAnswer("t1")
        }
        let client = try Self.client(server)
        let resource = try book.get()
        let waiting = (0..<100).map { _ in
            Task { try await client.token(resource: resource).authorizationHeader }
        }
        #expect(await eventually { server.requests.count == 1 })
        gate.open()
        for task in waiting { #expect(try await task.value == "Bearer t1") }
        #expect(server.requests.count == 1)
    }

    @Test func `one who is cancelled stops waiting, and the others get the token`() async throws {
        let gate = Gate()
        let server = try LocalServer { _ in
            gate.pass()
            return Self.tokenAnswer("t1")
        }
        let client = try Self.client(server)
        let resource = try book.get()
        let cancelled = Task { try await client.token(resource: resource).authorizationHeader }
        #expect(await eventually { server.requests.count == 1 })
        let other = Task { try await client.token(resource: resource).authorizationHeader }
        cancelled.cancel()
        let error = await #expect(throws: TokenClientError.self) { try await cancelled.value }
        #expect(error?.reason == .cancelled)
        gate.open()
        #expect(try await other.value == "Bearer t1")
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [429, 502, 503, 504])
    func `overload and outage are retried`(status: Int) async throws {
        let answered = Atomic<Int>(0)
        let server = try LocalServer { _ in
            answered.add(1, ordering: .relaxed).newValue < 3
                ? .json("{}", status: status, fields: ["Retry-After: 0"]) : Self.tokenAnswer("t1")
        }
        let token = try await Self.client(server).token(resource: book.get())
        #expect(token.authorizationHeader == "Bearer t1")
        #expect(server.requests.count == 3)
    }

    @Test func `a Retry-After beyond the deadline is not waited for`() async throws {
        let server = try LocalServer { _ in .json("{}", status: 503, fields: ["Retry-After: 60"]) }
        let client = try Self.client(server)
        let error = await #expect(throws: TokenClientError.self) {
            try await client.token(resource: book.get())
        }
        guard case .unavailable(_, .seconds(60)) = error?.reason else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [400, 401, 403, 404, 500])
    func `what the server refuses is not retried`(status: Int) async throws {
        let server = try LocalServer { _ in
            .json(
                #"{"error":"invalid_client","error_description":"check the secret"}"#, status: status,
                fields: ["WWW-Authenticate: Basic realm=\"x\""])
        }
        let client = try Self.client(server)
        let error = await #expect(throws: TokenClientError.self) {
            try await client.token(resource: book.get())
        }
        #expect(
            error?.reason
                == .refused(status: status, code: "invalid_client", explanation: "check the secret"))
        #expect(server.requests.count == 1)
    }

    @Test(
        arguments: [
            (
                "gateway", ["read", "write"],
                #"client "gateway", resource "RESOURCE_ID_BOOK", scope "read write""#
            ),
            ("a\n\"b", [], #"client "a\n\"b", resource "RESOURCE_ID_BOOK", all scopes"#),
        ] as [(String, Scopes, String)])
    func `an error says whose token it is about, for what, and no secret`(
        id: String, scopes: Scopes, whose: String
    ) async throws {
        let server = try LocalServer { _ in
            .json(#"{"error":"invalid_scope","error_description":"none of that"}"#, status: 400)
        }
        let client = try TokenClient(
            tokenEndpoint: server.url, clientID: id, clientSecret: "the-secret", authentication: .post)
        let error = try #require(
            await #expect(throws: TokenClientError.self) {
                try await client.token(resource: book.get(), scopes: scopes)
            })
        #expect(
            error.description
                == "the authorization server refuses the token request with 400 invalid_scope: none of that "
                + "(\(whose))")
        #expect(try error.clientID == id && error.resource == book.get())
        #expect(error.scopes == scopes)
        #expect(!"\(String(reflecting: error))".contains("the-secret"))
    }

    @Test func `a redirect is refused, so the secret goes nowhere else`() async throws {
        let other = try LocalServer { _ in Self.tokenAnswer("stolen") }
        let url = other.url
        let server = try LocalServer { _ in .json("", status: 307, fields: ["Location: \(url)/"]) }
        let client = try Self.client(server)
        await #expect(throws: TokenClientError.self) { try await client.token(resource: book.get()) }
        #expect(other.requests.isEmpty)
    }

    @Test func `where the deadline cuts an attempt short, the error says why the one before it failed`()
        async throws
    {
        let asked = Atomic(0)
        let server = try LocalServer { _ in
            asked.add(1, ordering: .relaxed).oldValue == 0 ? .json("{}", status: 503) : .silence
        }
        let error = await #expect(throws: TokenClientError.self) {
            try await Self.client(server, deadline: .seconds(2)).token(resource: book.get())
        }
        #expect(error?.description.contains("answered status 503") == true, "\(String(describing: error))")
        #expect(asked.load(ordering: .relaxed) > 1)
    }

    @Test func `a server that is gone or silent is given up at the deadline`() async throws {
        let silent = try LocalServer { _ in .silence }
        let gone = try LocalServer { _ in .silence }
        gone.stop()
        for server in [silent, gone] {
            let client = try Self.client(server, deadline: .milliseconds(300))
            let error = await #expect(throws: TokenClientError.self) {
                try await client.token(resource: book.get())
            }
            guard case .unavailable = error?.reason else {
                return #expect(Bool(false), "\(String(describing: error))")
            }
        }
    }

    @Test(arguments: [("", "s", "clientID"), ("c", "", "clientSecret")])
    func `an empty id or secret is refused at once`(id: String, secret: String, part: String) {
        let error = #expect(throws: TokenClient.ConfigurationError.self) {
            try TokenClient(tokenEndpoint: "http://127.0.0.1:1/t", clientID: id, clientSecret: secret)
        }
        #expect(error?.description == "\(part): it is empty: is the setting there that it comes from?")
    }

    @Test func `an invalidated token is replaced`() async throws {
        let answered = Atomic<Int>(0)
        let server = try LocalServer { _ in
            Self.tokenAnswer("t\(answered.add(1, ordering: .relaxed).newValue)")
        }
        let client = try Self.client(server)
        let first = try await client.token(resource: book.get())
        client.invalidate(first)
        let second = try await client.token(resource: book.get())
        client.invalidate(first)
        let third = try await client.token(resource: book.get())
        #expect(first.value == "t1" && second.value == "t2" && third.value == "t2")
    }

    @Test(arguments: [
        "http://auth.example/token", "auth.example", "", "file:///x", "https://u:p@auth.example/",
    ])
    func `a token endpoint that would give the secret away is a configuration error`(url: String) {
        #expect(throws: TokenClient.ConfigurationError.self) {
            try TokenClient(tokenEndpoint: url, clientID: "c", clientSecret: "s")
        }
        #expect(throws: TokenClient.ConfigurationError.self) {
            try TokenClient(issuer: url, clientID: "c", clientSecret: "s")
        }
    }
}
