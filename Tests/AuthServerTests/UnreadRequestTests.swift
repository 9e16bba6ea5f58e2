import HTTP
import OAuth
import ServerCases
import Testing

@testable import AuthServer

@Suite(
    "What the log says of requests that are refused before their client is looked at", .servedWithoutSocket)
struct UnreadRequestTests {
    private static let basic = HTTPField("Authorization", "Basic Z2F0ZXdheTpzZWNyZXQ=")  // gateway:secret
    private static let form = HTTPField("Content-Type", "application/x-www-form-urlencoded")

    @Test(
        "The method of a 405 is named where it is one, and of what may be anything the beginning is",
        arguments: [
            ("GET", "the method GET is not allowed"), ("PUT", "the method PUT is not allowed"),
            ("post", "the method post is not allowed"),
            // What follows a Content-Length that is too small is the next request's first word.
            ("s3cret-remainderPOST", "the method \"s3cr…\" is not allowed"),
            ("ab", "the method \"a…\" is not allowed"),
        ])
    func method(method: String, detail: String) async throws {
        let answer = try await ServedWithoutSocket.server().answer(
            HTTPRequest(method: method, path: "/oauth/token", fields: [Self.basic]))
        #expect(answer.response.status == 405)
        #expect(answer.detail == detail)
        #expect(answer.client?.name == "gat…")
    }

    static let malformed = [
        HTTPRequest(
            method: "POST", path: "/oauth/token", fields: [basic, form], body: Array("scope=a&scope=b".utf8)),
        HTTPRequest(
            method: "POST", path: "/oauth/token",
            fields: [basic, HTTPField("Content-Type", "application/json")],
            body: Array("{}".utf8)),
        HTTPRequest(
            method: "POST", path: "/oauth/introspect", query: "token=a", fields: [basic, form],
            body: Array("token=a".utf8)),
        HTTPRequest(
            method: "POST", path: "/oauth/revoke", fields: [basic, form], body: Array("client_secret=s".utf8)),
    ]

    @Test(
        "A client that authenticates by Basic is named as a stranger: nobody looked whether it is one",
        arguments: malformed)
    func claimed(request: HTTPRequest) async throws {
        let answer = try await ServedWithoutSocket.server().answer(request)
        #expect(answer.response.status == 400)
        #expect(answer.client?.name == "gat…")
    }

    @Test(
        "Nobody is named by a header that names nobody, or by two",
        arguments: [[], ["Bearer Z2F0ZXdheTpzZWNyZXQ="], ["Basic ?"], [basic.value, basic.value]])
    func nobody(headers: [String]) async throws {
        let fields = [Self.form] + headers.map { HTTPField("Authorization", $0) }
        let answer = try await ServedWithoutSocket.server().answer(
            HTTPRequest(method: "POST", path: "/oauth/token", fields: fields, body: Array("a=1&a=2".utf8)))
        #expect(answer.response.status == 400)
        #expect(answer.client == nil)
    }
}
