import HTTP
import LocalServer
import Synchronization
import Testing

@testable import Gateway

@Suite("Gateway")
struct GatewayTests {
    @Test func `a book with its reviews is one object`() async throws {
        let gateway = try GatewayFixture()
        let response = await gateway.get("/api/books/1")
        #expect(response.status == 200)
        #expect(
            response.text == #"{"description":"A whale.","id":1,"reviews":\#(sorted),"title":"Moby-Dick"}"#)
    }

    private let sorted = #"[{"bookId":1,"id":1,"reviewText":"Long."}]"#

    @Test func `each service gets a token of its own`() async throws {
        let gateway = try GatewayFixture()
        _ = await gateway.get("/api/books/1")
        #expect(gateway.catalog.requests.first?.fields["authorization"] == ["Bearer book-token"])
        #expect(gateway.reviewService.requests.first?.fields["authorization"] == ["Bearer review-token"])
    }

    @Test func `book and reviews are fetched at the same time`() async throws {
        let (catalogAsked, reviewsAsked) = (Gate(), Gate())
        // Each answers only when the other was asked: one after the other, there would be no answer in time.
        let gateway = try GatewayFixture(
            catalog: { _ in
                catalogAsked.open()
                reviewsAsked.pass()
                return .json(GatewayFixture.book)
            },
            reviews: { _ in
                reviewsAsked.open()
                catalogAsked.pass()
                return .json(GatewayFixture.reviews)
            })
        let response = await gateway.get("/api/books/1")
        #expect(response.status == 200)
        #expect(!response.text.contains("reviewsUnavailable"))
    }

    @Test(
        arguments: [
            .json("{}", status: 500), .json("{}", status: 503), .json("{}", status: 403), .json("no JSON"),
            .json(#"[{"id":1}]"#), .raw("nonsense\r\n\r\n"), .raw(""), .silence,
            .raw("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: " ", count: 2 << 20)),
        ] as [LocalReply])
    func `without reviews the book says so`(reply: LocalReply) async throws {
        let gateway = try GatewayFixture(reviews: { _ in reply })
        let response = await gateway.get("/api/books/1")
        #expect(response.status == 200)
        #expect(response.text.contains(#""reviews":[],"reviewsUnavailable":true,"#))
        #expect(response.text.contains(#""title":"Moby-Dick""#))
    }

    @Test func `without a connection to the reviews the book says so`() async throws {
        let gateway = try GatewayFixture()
        gateway.reviewService.stop()
        let response = await gateway.get("/api/books/1")
        #expect(response.status == 200)
        #expect(response.text.contains(#""reviewsUnavailable":true"#))
    }

    @Test(
        arguments: [
            .json("{}", status: 500), .json("{}", status: 403), .json("no JSON"), .raw(""), .silence,
            .json("", status: 302, fields: ["Location: /x"]),
        ] as [LocalReply])
    func `without the catalog there is no answer yet`(reply: LocalReply) async throws {
        let gateway = try GatewayFixture(catalog: { _ in reply })
        let response = await gateway.get("/api/books/1")
        #expect(response.status == 503)
        #expect(response.value("retry-after") == "5")
    }

    @Test func `without tokens there is no answer yet`() async throws {
        let gateway = try GatewayFixture(authorizationServer: { _ in
            .json(#"{"error":"invalid_client"}"#, status: 401)
        })
        #expect(await gateway.get("/api/books/1").status == 503)
        #expect(gateway.catalog.requests.isEmpty)
    }

    @Test func `a book that is not there is 404, and its reviews are not waited for`() async throws {
        let gateway = try GatewayFixture(
            catalog: { _ in .json("{}", status: 404) }, reviews: { _ in .silence })
        let start = ContinuousClock.now
        #expect(await gateway.get("/api/books/11").status == 404)
        #expect(ContinuousClock.now - start < .seconds(1.5))
    }

    @Test func `a token that was revoked is replaced, once`() async throws {
        let issued = Mutex(0)
        let issue: GatewayFixture.Handler = { _ in
            let number = issued.withLock {
                $0 += 1
                return $0
            }
            return .json(#"{"access_token":"t\#(number)","token_type":"Bearer","expires_in":3600}"#)
        }
        let gateway = try GatewayFixture(
            catalog: { request in
                request.fields["authorization"] == ["Bearer t1"]
                    ? .json("{}", status: 401, fields: ["WWW-Authenticate: Bearer"]) : .json("[]")
            }, authorizationServer: issue)
        #expect(await gateway.get("/api/books").status == 200)
        #expect(gateway.catalog.requests.count == 2)
        #expect(await gateway.get("/api/books").status == 200)
        #expect(issued.withLock { $0 } == 2)
    }

    @Test func `a service that refuses every token is asked twice`() async throws {
        let gateway = try GatewayFixture(catalog: { _ in .json("{}", status: 401) })
        #expect(await gateway.get("/api/books/1").status == 503)
        #expect(gateway.catalog.requests.count == 2)
    }

    @Test(
        arguments: [
            ("/api/books/x", nil, 400), ("/api/books", "page=x", 400), ("/api/books/", nil, 400),
            ("/api/books/1/2", nil, 404), ("/api", nil, 404), ("/", nil, 404), ("/api/Books", nil, 404),
        ] as [(String, String?, Int)])
    func `what is asked wrongly asks nobody else`(path: String, query: String?, status: Int) async throws {
        let gateway = try GatewayFixture()
        #expect(await gateway.get(path, query: query).status == status)
        #expect(gateway.catalog.requests.isEmpty)
    }

    @Test func `nobody comes in without a token`() async throws {
        let gateway = try GatewayFixture()
        let response = await gateway.api.answer(HTTPRequest(method: "GET", path: "/api/books/1"))
        #expect(response.status == 401)
        #expect(response.value("www-authenticate")?.hasPrefix("Bearer realm=\"RESOURCE_ID_GATEWAY\"") == true)
        #expect(gateway.catalog.requests.isEmpty)
    }

    @Test func `the metadata of the resource is for everybody (RFC 9728 §3)`() async throws {
        let gateway = try GatewayFixture()
        let path = "/.well-known/oauth-protected-resource"
        let response = await gateway.api.answer(HTTPRequest(method: "GET", path: path))
        #expect(response.status == 200)
        #expect(response.text.contains(#""resource":"RESOURCE_ID_GATEWAY""#))
    }
}
