import LocalServer
import OutboundHTTP
import Testing

struct OutboundHTTPTests {
    private let http = OutboundHTTP(maximumBytes: 1000, maximumPending: 2)

    private func get(
        _ server: LocalServer, deadline: Duration = .seconds(10)
    ) async throws(OutboundError) -> OutboundResponse {
        guard let url = try? EndpointURL(server.url + "/x") else { throw .unreachable("no URL") }
        return try await http.send(.get(url), deadline: deadline)
    }

    @Test func `an answer has status, fields by lower-case name and body`() async throws {
        let server = try LocalServer { _ in .json("{}", status: 201, fields: ["Retry-After: 7"]) }
        let response = try await get(server)
        #expect(response.status == 201)
        #expect(response.body == Array("{}".utf8))
        #expect(response.fields["content-type"] == "application/json")
        #expect(response.retryAfter == .seconds(7))
    }

    @Test(arguments: ["file:///etc/passwd", "http://127.0.0.1:1/", "/y"])
    func `A30 a redirect is an answer and is not followed`(location: String) async throws {
        let server = try LocalServer { _ in .json("moved", status: 302, fields: ["Location: \(location)"]) }
        let response = try await get(server)
        #expect(response.status == 302)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [
        "Basic realm=\"x\"", "Digest realm=\"x\"", "Bearer realm=\"x\"", "Basic", "Negotiate", "",
    ])
    func `a 401 with a challenge is an answer and sends no other request`(challenge: String) async throws {
        let server = try LocalServer { _ in
            .json("{}", status: 401, fields: ["WWW-Authenticate: \(challenge)"])
        }
        let response = try await get(server)
        #expect(response.status == 401)
        #expect(response.body == Array("{}".utf8))
        #expect(server.requests.count == 1)
    }

    @Test func `A30 an answer longer than the bound is refused`() async throws {
        let server = try LocalServer { _ in .json(String(repeating: "x", count: 1001)) }
        await #expect(throws: OutboundError.tooLarge) { try await get(server) }
    }

    @Test func `A30 an endless answer is refused at the bound`() async throws {
        let server = try LocalServer { _ in
            .raw("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 10_000_000))
        }
        await #expect(throws: OutboundError.tooLarge) { try await get(server) }
    }

    @Test func `a server that does not answer is given up at the deadline`() async throws {
        let server = try LocalServer { _ in .silence }
        await #expect(throws: OutboundError.timedOut) { try await get(server, deadline: .milliseconds(50)) }
    }

    @Test func `a server that is gone is unreachable`() async throws {
        let server = try LocalServer { _ in .silence }
        server.stop()
        let error = await #expect(throws: OutboundError.self) { try await get(server) }
        guard case .unreachable = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }

    @Test func `a truncated answer is no answer`() async throws {
        let server = try LocalServer { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc") }
        await #expect(throws: OutboundError.self) { try await get(server) }
    }

    @Test func `a cancelled task does not wait on`() async throws {
        let server = try LocalServer { _ in .silence }
        let task = Task { try await get(server) }
        #expect(await eventually { server.requests.count == 1 })
        task.cancel()
        await #expect(throws: OutboundError.cancelled) { try await task.value }
    }

    @Test func `cookies are neither kept nor sent`() async throws {
        let server = try LocalServer { _ in .json("{}", fields: ["Set-Cookie: a=b; Path=/"]) }
        _ = try await get(server)
        _ = try await get(server)
        #expect(server.requests.allSatisfy { $0.fields["cookie"] == nil })
    }

    @Test func `more requests than the bound are refused at once`() async throws {
        let gate = Gate()
        let server = try LocalServer { _ in
            gate.pass()
            return .json("{}")
        }
        let waiting = (0..<2).map { _ in Task { try await get(server) } }
        #expect(await eventually { server.requests.count == 2 })
        await #expect(throws: OutboundError.overloaded) { try await get(server) }
        gate.open()
        for task in waiting { #expect(try await task.value.status == 200) }
    }
}
