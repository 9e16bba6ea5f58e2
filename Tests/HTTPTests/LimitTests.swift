import HTTP
import TestSupport
import Testing

@Suite("Limits")
struct LimitTests {
    @Test(
        "a request that trickles in is ended at the deadline with 408",
        arguments: [
            "GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n",
        ])
    func slowSender(start: String) async throws {
        var configuration = HTTPServerConfiguration()
        configuration.requestDeadlineSeconds = 1
        let server = try RunningServer(configuration)
        let client = try RawConnection(port: server.port)
        client.send(start)
        var answer: (text: String, closed: Bool) = ("", false)
        for _ in 0..<200 where !answer.closed {
            client.send("a")
            let more = client.receiveBytes(within: .milliseconds(100))
            answer = (answer.text + String(decoding: more.bytes, as: UTF8.self), more.closed)
        }
        #expect(answer.closed)
        #expect(answer.text.hasPrefix("HTTP/1.1 408 "))
        await server.stop()
    }

    @Test("an idle connection ends")
    func idle() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.idleSeconds = 1
        configuration.requestDeadlineSeconds = 2
        let server = try RunningServer(configuration)
        let client = try RawConnection(port: server.port)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(client.receive(seconds: 8).closed)
        #expect(await server.connectionCount() == 0)
        await server.stop()
    }

    @Test("a handler that does not answer in time is answered for with 503 and Retry-After")
    func slowHandler() async throws {
        let (gate, opener) = AsyncStream<Void>.makeStream()
        var configuration = HTTPServerConfiguration()
        configuration.requestDeadlineSeconds = 1
        let server = try RunningServer(configuration) { _ in
            for await _ in gate { break }
            return .text(200, "late")
        }
        let client = try RawConnection(port: server.port)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let (text, _) = client.receive { $0.contains("\r\n\r\n") }
        #expect(text.hasPrefix("HTTP/1.1 503 "))
        #expect(text.contains("Retry-After: "))
        opener.yield()
        await server.stop()
    }

    @Test("connections over the limit get 503 at once, the others are unharmed", arguments: [true, false])
    func tooMany(perAddress: Bool) async throws {
        var configuration = HTTPServerConfiguration()
        if perAddress {
            configuration.maximumConnectionsPerAddress = 2
        } else {
            configuration.maximumConnections = 2
        }
        let server = try RunningServer(configuration)
        let first = try RawConnection(port: server.port)
        let second = try RawConnection(port: server.port)
        for client in [first, second] {
            client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(client.receive { $0.hasSuffix("GET /a 0\n") }.text.contains(" 200 "))
        }
        let third = try RawConnection(port: server.port)
        let (text, closed) = third.receive()
        #expect(text.hasPrefix("HTTP/1.1 503 "))
        #expect(closed)
        first.send("GET /b HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(first.receive { $0.hasSuffix("GET /b 0\n") }.text.contains(" 200 "))
        if perAddress {
            let elsewhere = try RawConnection(port: server.port, from: "127.0.0.2")
            elsewhere.send("GET /c HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(elsewhere.receive { $0.hasSuffix("GET /c 0\n") }.text.contains(" 200 "))
        }
        await server.stop()
    }
}
