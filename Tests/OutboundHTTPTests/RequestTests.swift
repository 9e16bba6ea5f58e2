import LocalServer
import OutboundHTTP
import Testing

/// What is on the wire.
struct RequestTests {
    private let http = OutboundHTTP(maximumBytes: 1000, maximumPending: 10)

    @Test func `a form is one POST with its length and without waiting for 100 Continue`() async throws {
        let server = try LocalServer { _ in .json("{}") }
        let value = String(repeating: "v", count: 5000)
        let request = OutboundRequest.post(try EndpointURL(server.url + "/form?a=b"), form: [("name", value)])
        _ = try await http.send(request, deadline: .seconds(10))
        let received = try #require(server.requests.first)
        #expect(received.method == "POST")
        #expect(received.target == "/form?a=b")
        #expect(received.body == "name=" + value)
        #expect(received.fields["content-type"] == ["application/x-www-form-urlencoded"])
        #expect(received.fields["accept"] == ["application/json"])
        #expect(received.fields["expect"] == nil)
        #expect(received.fields["transfer-encoding"] == nil)
    }

    @Test func `a form may be empty`() async throws {
        let server = try LocalServer { _ in .json("{}") }
        _ = try await http.send(.post(EndpointURL(server.url), form: []), deadline: .seconds(10))
        #expect(server.requests.first?.fields["content-length"] == ["0"])
    }

    @Test(arguments: ["x\r\nInjected: y", "x\ny", "x\0y"])
    func `a field that would become two is not sent`(value: String) async throws {
        let server = try LocalServer { _ in .json("{}") }
        var request = OutboundRequest.get(try EndpointURL(server.url))
        request.fields.append(("Authorization", value))
        let sent = request
        let error = await #expect(throws: OutboundError.self) {
            try await http.send(sent, deadline: .seconds(10))
        }
        #expect(error == .unreachable("the request has a field that cannot be sent"))
        #expect(server.requests.isEmpty)
    }

    @Test func `fields are sent as they are, also one without a value`() async throws {
        let server = try LocalServer { _ in .json("{}") }
        var request = OutboundRequest.get(try EndpointURL(server.url))
        request.fields += [("Authorization", "Bearer ;:,="), ("X-Empty", "")]
        _ = try await http.send(request, deadline: .seconds(10))
        #expect(server.requests.first?.fields["authorization"] == ["Bearer ;:,="])
        #expect(server.requests.first?.fields["x-empty"] == [""])
    }

    @Test func `a connection that the server keeps is used again, also by another client`() async throws {
        let server = try LocalServer { _ in .kept("{}") }
        let url = try EndpointURL(server.url)
        for _ in 0..<3 {
            _ = try await http.send(.get(url), deadline: .seconds(10))
            _ = try await http.send(.post(url, form: [("a", "b")]), deadline: .seconds(10))
        }
        let other = OutboundHTTP(maximumBytes: 1000, maximumPending: 1)
        _ = try await other.send(.get(url), deadline: .seconds(10))
        #expect(server.requests.count == 7)
        // One, unless tests that run meanwhile need so many connections that idle ones are closed.
        #expect(server.connections <= 2)
    }
}
