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

    @Test func `a field name that repeats is one list (RFC 9110 §5.3)`() async throws {
        let server = try LocalServer { _ in .json("{}", fields: ["Cache-Control: a", "cache-control: b=1"]) }
        #expect(try await get(server).fields["cache-control"] == "a, b=1")
    }

    @Test func `an answer may come after others of 1xx and before trailers`() async throws {
        let server = try LocalServer { _ in
            .raw(
                "HTTP/1.1 103 Early Hints\r\nX: early\r\n\r\nHTTP/1.1 200 OK\r\nY: 1\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nY: trailer\r\n\r\n")
        }
        let response = try await get(server)
        #expect(response.status == 200)
        #expect(response.body == Array("{}".utf8))
        #expect(response.fields["x"] == nil)
        #expect(response.fields["y"] == "1")
    }

    @Test func `A30 a header without end is refused at its bound`() async throws {
        let server = try LocalServer { _ in
            .raw(
                "HTTP/1.1 200 OK\r\n"
                    + String(repeating: "A: " + String(repeating: "b", count: 1000) + "\r\n", count: 5000))
        }
        await #expect(throws: OutboundError.tooLarge) { try await get(server) }
    }

    @Test func `what is no HTTP/1 answer is none, whatever bytes come`() async throws {
        let server = try LocalServer { _ in .raw("{\"keys\":[]}") }
        let error = await #expect(throws: OutboundError.self) { try await get(server) }
        guard case .unreachable = error else { return #expect(Bool(false), "\(String(describing: error))") }
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

    @Test func `A30 the deadline is for the whole exchange: a body that trickles in does not move it`()
        async throws
    {
        let server = try LocalServer { _ in .trickle }
        await #expect(throws: OutboundError.timedOut) { try await get(server, deadline: .milliseconds(100)) }
    }

    @Test func `the deadline counts while a request waits for its turn, too`() async throws {
        let gate = Gate()
        let server = try LocalServer { _ in
            gate.pass()
            return .raw("HTTP/1.1 200 OK\r\n\r\n")
        }
        defer { gate.open() }
        let http = OutboundHTTP(maximumBytes: 1000, maximumPending: 100)
        let url = try EndpointURL(server.url)
        await withTaskGroup(of: OutboundError?.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    do throws(OutboundError) {
                        _ = try await http.send(.get(url), deadline: .milliseconds(100))
                        return nil
                    } catch { return error }
                }
            }
            for await error in group { #expect(error == .timedOut) }
        }
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
