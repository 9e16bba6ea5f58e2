import HTTP
import LocalServer
import Testing

@testable import Gateway

@Suite("Gateway: what is handed on to the authorization server")
struct PassThroughTests {
    @Test(arguments: [
        ("/oauth/token", true), ("/oauth/a/b", true), ("/.well-known/jwks.json", true),
        ("/.well-known/oauth-authorization-server/tenant", true), ("/oauth", false), ("/OAuth/token", false),
        ("/oauth/../healthz", false), ("/oauth/./token", false), ("/oauth/..", false),
        ("/oauth/%2e%2e/healthz", false), ("/oauth/..;/healthz", false), ("/oauth/..\\healthz", false),
        ("/api/oauth/token", false), ("//oauth/token", false), ("/oauth/töken", false),
    ])
    func `only its own paths`(path: String, isTaken: Bool) {
        #expect(PassThrough.takes(path) == isTaken)
    }

    private func ask(_ reply: LocalReply, _ request: HTTPRequest) async throws -> (
        HTTPResponse, LocalRequest?
    ) {
        let gateway = try GatewayFixture(authorizationServer: { _ in reply })
        return (await gateway.api.answer(request), gateway.authorizationServer.requests.first)
    }

    @Test func `a request is handed on with what it says, and with the app's address`() async throws {
        let body = "grant_type=client_credentials&scope=%zz+é"
        let request = HTTPRequest(
            method: "POST", path: "/oauth/token", query: "a=1&b=%20",
            fields: [
                HTTPField("Authorization", "Basic YTpi"), HTTPField("content-type", "text/x; y=z"),
                HTTPField("X-Forwarded-For", "1.2.3.4"), HTTPField("Cookie", "c=1"),
            ], body: Array(body.utf8), remoteAddress: "192.0.2.7")
        let received = try #require(try await ask(.json("{}"), request).1)
        #expect(received.method == "POST" && received.target == "/oauth/token?a=1&b=%20")
        #expect(received.body == body)
        #expect(received.fields["authorization"] == ["Basic YTpi"])
        #expect(received.fields["content-type"] == ["text/x; y=z"])
        #expect(received.fields["x-forwarded-for"] == ["192.0.2.7"])
        #expect(received.fields["cookie"] == nil)
    }

    @Test(arguments: [200, 304, 400, 401, 404, 405, 429, 500, 503])
    func `an answer comes back with status, body and the fields that matter`(status: Int) async throws {
        let fields = [
            "WWW-Authenticate: Basic realm=\"x\", charset=\"UTF-8\"", "Retry-After: 7", "Allow: POST",
            "Cache-Control: no-store", "Set-Cookie: a=b", "Server: x",
        ]
        let body = status == 304 ? "" : "{ \"error\" : 1 }\n"
        let reply = LocalReply.json(body, status: status, fields: fields)
        let (response, _) = try await ask(reply, HTTPRequest(method: "POST", path: "/oauth/token"))
        #expect(response.status == status)
        #expect(response.text == body)
        #expect(response.value("www-authenticate") == "Basic realm=\"x\", charset=\"UTF-8\"")
        #expect(response.value("retry-after") == "7")
        #expect(response.value("allow") == "POST")
        #expect(response.value("cache-control") == "no-store")
        #expect(response.value("content-type") == "application/json")
        #expect(response.value("set-cookie") == nil)
    }

    @Test func `two Authorization fields do not become one of them`() async throws {
        let request = HTTPRequest(
            method: "POST", path: "/oauth/token",
            fields: [HTTPField("Authorization", "Basic YTpi"), HTTPField("authorization", "Basic Yzpk")])
        let received = try #require(try await ask(.json("{}"), request).1)
        #expect(received.fields["authorization"]?.joined(separator: ",") == "Basic YTpi,Basic Yzpk")
    }

    @Test func `a query that no URL has is refused`() async throws {
        let request = HTTPRequest(method: "GET", path: "/oauth/token", query: "a=\"<>")
        let (response, received) = try await ask(.json("{}"), request)
        #expect(response.status == 400)
        #expect(received == nil)
    }

    @Test(arguments: [.raw(""), .silence] as [LocalReply])
    func `an authorization server that does not answer is 503`(reply: LocalReply) async throws {
        let (response, _) = try await ask(reply, HTTPRequest(method: "POST", path: "/oauth/token"))
        #expect(response.status == 503)
        #expect(response.value("retry-after") == "5")
        #expect(response.value("cache-control") == "no-store")
    }
}

extension HTTPResponse {
    /// The first value of a field, by its lower-case name.
    func value(_ name: String) -> String? { fields.first { $0.name.lowercased() == name }?.value }
}
