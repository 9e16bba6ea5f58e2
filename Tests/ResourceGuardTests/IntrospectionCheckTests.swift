import Foundation
import LocalServer
import OAuth
import Testing

@testable import ResourceGuard

struct IntrospectionCheckTests {
    private func check(
        _ server: LocalServer, cacheSeconds: Int = 0, deadline: Duration = .seconds(10)
    ) throws -> IntrospectionCheck {
        try IntrospectionCheck(
            endpoint: server.url + "/oauth/introspect", clientID: "book:1", clientSecret: "a+b%",
            cacheSeconds: cacheSeconds, deadline: deadline)
    }

    private func isActive(
        _ check: IntrospectionCheck, _ token: String = "abc.def.ghi"
    ) async throws(TokenCheckError) -> Bool {
        guard let id = try? TokenID("AAAAAAAAAAAAAAAAAAAAAA"), let client = try? ClientID("gateway") else {
            throw .unavailable("no ids")
        }
        return try await check.isActive(tokenID: id, clientID: client, token: Array(token.utf8))
    }

    @Test func `the question is as RFC 7662 §2.1 says, with form-encoded Basic credentials`() async throws {
        let server = try LocalServer { _ in .json(#"{"active":true,"scope":"read"}"#) }
        #expect(try await isActive(try check(server)))
        let request = try #require(server.requests.first)
        #expect(request.method == "POST" && request.target == "/oauth/introspect")
        #expect(request.body == "token=abc.def.ghi&token_type_hint=access_token")
        let basic = try #require(request.fields["authorization"]?.first?.dropFirst(6))
        let decoded = try #require(Data(base64Encoded: String(basic)))
        #expect(String(decoding: decoded, as: UTF8.self) == "book%3A1:a%2Bb%25")
    }

    @Test(arguments: [
        (#"{"active":true,"jti":"AAAAAAAAAAAAAAAAAAAAAA","client_id":"gateway"}"#, true),
        (#"{"active":true,"jti":"AAAAAAAAAAAAAAAAAAAAAB","client_id":"gateway"}"#, false),
        (#"{"active":true,"client_id":"app"}"#, false), (#"{"active":true,"jti":1}"#, false),
        (#"{"active":false,"jti":"AAAAAAAAAAAAAAAAAAAAAB"}"#, false),
    ])
    func `an answer about another token is none`(body: String, isTaken: Bool) async throws {
        let server = try LocalServer { _ in .json(body) }
        let check = try check(server)
        if isTaken {
            #expect(try await isActive(check))
        } else {
            await #expect(throws: TokenCheckError.self) { try await isActive(check) }
        }
    }

    @Test(arguments: [("", "s", "clientID"), ("c", "", "clientSecret")])
    func `an empty id or secret is refused at once`(id: String, secret: String, part: String) {
        let error = #expect(throws: ResourceGuard.ConfigurationError.self) {
            try IntrospectionCheck(endpoint: "http://127.0.0.1:1/i", clientID: id, clientSecret: secret)
        }
        #expect(
            error?.description
                == "the introspection check's \(part): it is empty: is the setting there that it comes from?")
    }

    @Test func `a deadline without end is a long one`() async throws {
        let server = try LocalServer { _ in .json(#"{"active":true}"#) }
        #expect(try await isActive(try check(server, cacheSeconds: .max, deadline: .seconds(Int64.max))))
    }

    @Test func `G24 by default no answer is remembered`() async throws {
        let server = try LocalServer { _ in .json(#"{"active":false}"#) }
        let check = try check(server)
        #expect(try await !isActive(check))
        #expect(try await !isActive(check))
        #expect(server.requests.count == 2)
    }

    @Test func `G24 an answer is remembered for one token alone`() async throws {
        let server = try LocalServer { request in
            .json(request.body.contains("good") ? #"{"active":true}"# : #"{"active":false}"#)
        }
        let check = try check(server, cacheSeconds: 60)
        for _ in 1...3 {
            #expect(try await isActive(check, "good"))
            #expect(try await !isActive(check, "bad"))
        }
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [
        LocalReply.json("{}", status: 401, fields: ["WWW-Authenticate: Basic realm=\"x\""]), .json("{}"),
        .json(#"{"active":"true"}"#), .json(#"{"active":1}"#), .json(#"{"active":true,"active":false}"#),
        .json("[]"), .json("<html>"), .json(#"{"active":true}"#, status: 500), .raw("garbage"), .raw(""),
        .json("", status: 302, fields: ["Location: /"]), .json(String(repeating: " ", count: 70_000)),
    ])
    func `G18 anything but a clear answer is none`(reply: LocalReply) async throws {
        let server = try LocalServer { _ in reply }
        let check = try check(server, cacheSeconds: 60)
        for _ in 1...2 { await #expect(throws: TokenCheckError.self) { try await isActive(check) } }
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [
        (404, "", " answered status 404: " + wrongURL), (405, "", " answered status 405: " + wrongURL),
        (401, "", " answered status 401: check the client id and secret of the check"),
        (500, "", " answered status 500"),
        (200, "<html>", ": the introspection answer is no JSON object with a boolean active"),
    ])
    func `an answer that is none: the error names the URL, and says what to check`(
        status: Int, body: String, cause: String
    ) async throws {
        let server = try LocalServer { _ in .json(body, status: status) }
        await #expect(throws: TokenCheckError.unavailable(server.url + "/oauth/introspect" + cause)) {
            try await isActive(try check(server))
        }
    }

    private static let wrongURL =
        "check the endpoint of the check: it is the introspection_endpoint of the issuer's metadata"

    @Test func `a server that does not answer is given up at the deadline`() async throws {
        let server = try LocalServer { _ in .silence }
        let check = try check(server, deadline: .milliseconds(50))
        await #expect(throws: TokenCheckError.timedOut) { try await isActive(check) }
    }

    @Test func `an endpoint that would give secret and tokens away is a configuration error`() {
        for url in ["http://auth.example/introspect", "auth", ""] {
            #expect(throws: ResourceGuard.ConfigurationError.self) {
                try IntrospectionCheck(endpoint: url, clientID: "c", clientSecret: "s")
            }
        }
    }

    @Test func `G24 what is remembered ends after the lifetime and is bounded`() {
        var memory = IntrospectionMemory(lifetime: .seconds(5), capacity: 100)
        let start = ContinuousClock.now
        memory.remember(true, for: [1], now: start)
        #expect(memory.answer(for: [1], now: start + .seconds(4)) == true)
        #expect(memory.answer(for: [1], now: start + .seconds(5)) == nil)
        #expect(memory.answer(for: [2], now: start) == nil)
        for number in 0..<1000 {
            memory.remember(false, for: [2, UInt8(number % 256), UInt8(number / 256)], now: start)
        }
        #expect(memory.count <= 100)
        #expect(memory.answer(for: [2, UInt8(999 % 256), UInt8(999 / 256)], now: start) == false)
        #expect(memory.answer(for: [1], now: start) == nil)
    }
}
