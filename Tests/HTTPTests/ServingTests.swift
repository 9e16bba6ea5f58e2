import Glibc
import HTTP
import TestSupport
import Testing

@Suite("Serving")
struct ServingTests {
    @Test("a request gets the handler's answer, and the connection stays open for the next")
    func keepAlive() async throws {
        let server = try RunningServer()
        let client = try RawConnection(port: server.port)
        for number in 1...3 {
            client.send("POST /\(number)?q=%20 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
            let (text, closed) = client.receive { $0.hasSuffix(" 3\n") }
            #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(text.hasSuffix("POST /\(number) 3\n"))
            #expect(!closed)
        }
        await server.stop()
    }

    @Test("pipelined requests are answered in order (RFC 9112 §9.3.2)")
    func pipelining() async throws {
        let server = try RunningServer()
        let client = try RawConnection(port: server.port)
        client.send((1...50).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
        let (text, _) = client.receive { $0.contains("GET /50 0\n") }
        let bodies = text.split(separator: "\r\n").filter { $0.contains("GET /") }.map {
            $0.split(separator: "\n")[0]
        }
        #expect(bodies == (1...50).map { "GET /\($0) 0" })
        await server.stop()
    }

    @Test("a half-closed client still gets its answer")
    func halfClosed() async throws {
        let server = try RunningServer()
        let client = try RawConnection(port: server.port)
        client.send("GET /half HTTP/1.1\r\nHost: a\r\n\r\n")
        client.finishSending()
        let (text, closed) = client.receive()
        #expect(text.hasSuffix("GET /half 0\n"))
        #expect(closed)
        await server.stop()
    }

    @Test("a client that had sent its end along with its request is let go soon after the answer")
    func endBeforeAnswer() async throws {
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let (arrivals, arrived) = AsyncStream<Void>.makeStream()
        let server = try RunningServer { _ in
            arrived.yield()
            for await _ in gate { break }
            return .text(200, "late")
        }
        let client = try RawConnection(port: server.port)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        client.finishSending()
        for await _ in arrivals { break }
        opener.yield()
        let (text, closed) = client.receive()
        #expect(text.hasSuffix("late\n"))
        #expect(closed)
        await server.stop()
    }

    @Test("HEAD gets the header of GET and no body (RFC 9110 §9.3.2)")
    func head() async throws {
        let server = try RunningServer()
        let client = try RawConnection(port: server.port)
        client.send("HEAD /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        let (text, closed) = client.receive()
        #expect(text.contains("Content-Length: 10\r\n"))
        #expect(text.hasSuffix("\r\n\r\n"))
        #expect(closed)
        await server.stop()
    }

    @Test("Expect: 100-continue is answered before the body is sent (RFC 9110 §10.1.1)")
    func expectContinue() async throws {
        let server = try RunningServer()
        let client = try RawConnection(port: server.port)
        client.send("POST /c HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
        let (interim, _) = client.receive { $0.contains("\r\n\r\n") }
        #expect(interim.hasPrefix("HTTP/1.1 100 Continue\r\n"))
        client.send("abc")
        let (text, _) = client.receive { $0.hasSuffix("POST /c 3\n") }
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        await server.stop()
    }

    @Test("what a handler awaits holds up nobody else")
    func concurrency() async throws {
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let server = try RunningServer { request in
            if request.path == "/slow" { for await _ in gate { break } }
            return .text(200, request.path)
        }
        let slow = try RawConnection(port: server.port)
        slow.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
        let quick = try RawConnection(port: server.port)
        quick.send("GET /quick HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(quick.receive { $0.hasSuffix("/quick\n") }.text.hasSuffix("/quick\n"))
        opener.yield()
        #expect(slow.receive { $0.hasSuffix("/slow\n") }.text.hasSuffix("/slow\n"))
        await server.stop()
    }

    @Test("a stopping server finishes what runs, then closes")
    func drain() async throws {
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let (arrivals, arrived) = AsyncStream<Void>.makeStream()
        let server = try RunningServer { request in
            arrived.yield()
            for await _ in gate { break }
            return .text(200, "late")
        }
        let idle = try RawConnection(port: server.port)
        let client = try RawConnection(port: server.port)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        for await _ in arrivals { break }
        // At once, on this thread: the pool's may all be waiting in other tests.
        let stopped = Task.immediate { await server.stop(seconds: 5) }
        #expect(idle.receive().closed)
        opener.yield()
        let (text, closed) = client.receive()
        #expect(text.hasSuffix("late\n"))
        #expect(text.contains("Connection: close"))
        #expect(closed)
        await stopped.value
    }

    @Test(
        "a server that drains without hurry answers a request of which the engine has the first bytes",
        arguments: ["", "GET /first HTTP/1.1\r\nHost: a\r\n\r\n"])
    func drainsWithoutHurry(before: String) async throws {
        let server = try RunningServer()
        let client = try RawConnection(port: server.port)
        client.send(before)
        if !before.isEmpty { _ = client.receive { $0.contains("/first 0") } }
        client.send("GET /sec")
        try await Task.sleep(for: .milliseconds(100))
        let stopped = Task.immediate { await server.stop(seconds: 5, idleSeconds: 1) }
        usleep(400_000)
        client.send("ond HTTP/1.1\r\nHost: a\r\n\r\n")
        let (text, closed) = client.receive()
        #expect(text.hasPrefix("HTTP/1.1 200 ") && text.contains("/second 0") && closed, "\(text)")
        #expect(text.contains("Connection: close"))
        await stopped.value
    }

    @Test(
        "of two servers that start at once on one port, one listens and the other is told so",
        arguments: [1, 2])
    func startsAtOnce(count: Int) async throws {
        for _ in 0..<200 {
            let port = try ListeningSocket.open(host: "127.0.0.1", port: 0, count: 1)[0].port
            let outcomes = try await withThrowingTaskGroup(of: Result<[ListeningSocket], HTTPError>.self) {
                group in
                for _ in 0..<2 {
                    group.addTask {
                        try await onThread {
                            Result { () throws(HTTPError) in
                                try ListeningSocket.open(host: "127.0.0.1", port: port, count: count)
                            }
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let listening = outcomes.compactMap { try? $0.get() }
            #expect(listening.count <= 1)
            #expect(listening.allSatisfy { $0.count == count && $0.allSatisfy { $0.port == port } })
            for case .failure(let error) in outcomes { #expect(error.code == .addressInUse) }
        }
    }

    @Test("a port in use is told apart and named")
    func portInUse() async throws {
        let server = try RunningServer()
        let error = #expect(throws: HTTPError.self) {
            try ListeningSocket.open(host: "127.0.0.1", port: server.port, count: 1)
        }
        #expect(error?.code == .addressInUse)
        #expect(error?.description.contains("port \(server.port)") == true)
        await server.stop()
    }
}
