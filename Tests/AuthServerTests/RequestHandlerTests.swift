import HTTP
import Testing

@testable import AuthServer

@Suite("Requests behind a proxy, and paths")
struct RequestHandlerTests {
    @Test(
        "Of X-Forwarded-For the last address counts: the nearest proxy vouches for no other",
        arguments: [
            (["203.0.113.7"], "203.0.113.7"), (["1.1.1.1, 203.0.113.7"], "203.0.113.7"),
            (["1.1.1.1", "203.0.113.7"], "203.0.113.7"), (["2001:db8::1"], "2001:db8::1"),
            ([" 203.0.113.7 "], "203.0.113.7"), ([], nil), ([""], nil), (["1.1.1.1,"], "1.1.1.1"),
            (["unknown"], nil), (["\"[2001:db8::1]:80\""], nil), (["1.1.1.1\"}"], nil),
            ([String(repeating: "1", count: 46)], nil),
        ] as [([String], String?)])
    func forwardedAddress(values: [String], expected: String?) {
        let request = HTTPRequest(
            method: "GET", path: "/", fields: values.map { HTTPField("X-Forwarded-For", $0) })
        #expect(RequestHandler.forwardedAddress(of: request) == expected)
    }

    @Test("An issuer with a path has its endpoints below it, and metadata at the path-inserted form")
    func routes() {
        let routes = Routes(issuerPath: "/a/b")
        #expect(routes.route("/a/b/oauth/token") == .token)
        #expect(routes.route("/oauth/token") == .token)
        #expect(routes.route("/.well-known/oauth-authorization-server/a/b") == .metadata)
        #expect(routes.route("/.well-known/oauth-authorization-server/a") == nil)
        #expect(routes.route("/a/oauth/token") == nil)
        #expect(routes.route("/a/b/oauth/token/") == nil)
        #expect(routes.route("") == nil)
    }
}
