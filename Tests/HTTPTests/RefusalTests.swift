import HTTP
import Synchronization
import TestSupport
import Testing

/// What no handler answers is told to the server's owner, who makes the answer.
@Suite("Refusals")
struct RefusalTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let request: String
        let status: Int
        let cause: HTTPRefusal.Cause

        init(_ name: String, _ status: Int, _ request: String, cause: HTTPRefusal.Cause = .refused) {
            testDescription = name
            self.request = request
            self.status = status
            self.cause = cause
        }
    }

    static let cases = [
        Case("no Host", 400, "GET / HTTP/1.1\r\nX: 1\r\n\r\n"),
        Case("no fields", 400, "GET / HTTP/1.1\r\n\r\n"),
        Case("two Hosts", 400, "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
        Case("a space in the target", 400, "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("another scheme", 400, "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case(
            "a coding", 411, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Case("a large body", 413, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 70000\r\n\r\n"),
        Case(
            "a large header", 431,
            "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 17_000))\r\n\r\n"),
        Case("another version", 505, "GET / HTTP/1.2\r\nHost: a\r\n\r\n"),
        Case(
            "a body that does not come", 408,
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n", cause: .late),
        Case("a handler that hangs", 503, "GET /hang HTTP/1.1\r\nHost: a\r\n\r\n", cause: .unanswered),
    ]

    /// What the owner was told.
    private final class Told: Sendable {
        let refusals = Mutex<[HTTPRefusal]>([])
        let turnedAway = Mutex<[HTTPTurnedAway]>([])
    }

    @Test("is told once, with the peer, and answered as the owner says", arguments: cases)
    func told(given: Case) async throws {
        let told = Told()
        let (gate, opener) = AsyncStream<Void>.makeStream()
        var configuration = HTTPServerConfiguration()
        configuration.requestDeadlineSeconds = 1
        let server = try RunningServer(
            configuration,
            handler: { _ in
                for await _ in gate { break }
                return .text(200, "late")
            },
            refusal: { refusal in
                told.refusals.withLock { $0.append(refusal) }
                return HTTPResponse(
                    status: refusal.status, fields: [HTTPField("X-Owner", "yes")], body: Array("{}".utf8))
            })
        let client = try RawConnection(port: server.port, from: "127.0.0.3")
        client.send(given.request)
        let (text, _) = client.receive { $0.hasSuffix("\r\n\r\n{}") }
        #expect(text.hasPrefix("HTTP/1.1 \(given.status) "))
        #expect(text.contains("X-Owner: yes\r\n"))
        #expect(text.hasSuffix("\r\n\r\n{}"))
        let refusals = told.refusals.withLock { $0 }
        #expect(refusals.map(\.status) == [given.status])
        #expect(refusals.map(\.cause) == [given.cause])
        #expect(refusals.map(\.remoteAddress) == ["127.0.0.3"])
        opener.yield()
        await server.stop()
        #expect(told.refusals.withLock { $0.count } == 1)
    }

    @Test("many connections that are turned away are told by few calls, and none is forgotten")
    func turnedAway() async throws {
        let told = Told()
        var configuration = HTTPServerConfiguration()
        configuration.maximumConnections = 1
        let server = try RunningServer(
            configuration, turnedAway: { some in told.turnedAway.withLock { $0.append(some) } })
        let first = try RawConnection(port: server.port)
        first.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(first.receive { $0.hasSuffix("GET /a 0\n") }.text.contains(" 200 "))
        for _ in 0..<50 {
            let next = try RawConnection(port: server.port, from: "127.0.0.4")
            #expect(next.receive().text.hasPrefix("HTTP/1.1 503 "))
        }
        await server.stop()
        let calls = told.turnedAway.withLock { $0 }
        #expect(calls.map(\.count).reduce(0, +) == 50)
        #expect(calls.count < 25)
        #expect(Set(calls.map(\.lastAddress)) == ["127.0.0.4"])
    }
}
