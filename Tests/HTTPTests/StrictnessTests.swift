import HTTP
import TestSupport
import Testing

/// What libmicrohttpd lets through and the server refuses; each over a real socket.
@Suite("Strictness (RFC 9112)")
struct StrictnessTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let request: String
        let status: Int
        var testDescription: String { name }
    }

    static let refused = [
        Case(
            name: "two different Content-Lengths",
            request: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
            status: 400),
        Case(
            name: "two equal Content-Lengths",
            request: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
            status: 400),
        Case(
            name: "Content-Length with Transfer-Encoding",
            request:
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            status: 400),
        Case(
            name: "chunked",
            request: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", status: 411),
        Case(
            name: "an unknown transfer coding",
            request: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: cow\r\n\r\n", status: 411),
        Case(
            name: "white space before the colon",
            request: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n", status: 400
        ),
        Case(
            name: "white space in a field name", request: "GET / HTTP/1.1\r\nHost: a\r\nX y: 1\r\n\r\n",
            status: 400),
        Case(name: "no Host", request: "GET / HTTP/1.1\r\nX: 1\r\n\r\n", status: 400),
        Case(name: "two Hosts", request: "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", status: 400),
        Case(name: "a method that is no token", request: "PO(ST / HTTP/1.1\r\nHost: a\r\n\r\n", status: 400),
        Case(
            name: "a negative Content-Length",
            request: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", status: 400),
        Case(
            name: "a signed Content-Length",
            request: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +3\r\n\r\nabc", status: 400),
        Case(
            name: "a list of Content-Lengths",
            request: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3, 3\r\n\r\nabc", status: 400),
        Case(
            name: "a huge Content-Length",
            request: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", status: 400
        ),
        Case(
            name: "a body over the limit",
            request: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n\r\n", status: 413),
        Case(name: "HTTP/2.0", request: "GET / HTTP/2.0\r\nHost: a\r\n\r\n", status: 505),
        Case(
            name: "a target with a user", request: "GET http://b@a/ HTTP/1.1\r\nHost: a\r\n\r\n", status: 400),
        Case(
            name: "a target of other bytes", request: "GET /\u{e9} HTTP/1.1\r\nHost: a\r\n\r\n", status: 400),
        Case(
            name: "a header block over 16 KiB",
            request: "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 17_000))\r\n\r\n",
            status: 431),
        Case(
            name: "a header block of many fields",
            request: "GET / HTTP/1.1\r\nHost: a\r\n\((0..<20_000).map { "a\($0): 1\r\n" }.joined())\r\n",
            status: 431),
    ]

    @Test("B24 is refused, and the connection closed", arguments: refused)
    func refuses(_ given: Case) async throws {
        let server = try RunningServer()
        let client = try RawConnection(port: server.port)
        client.send(given.request)
        let (text, closed) = client.receive()
        let status = text.split(separator: " ").dropFirst().first.map(String.init)
        #expect(status == String(given.status) || (given.status == 400 && status == "413"))
        #expect(!text.contains(" 200 "))
        #expect(closed)
        let other = try RawConnection(port: server.port)
        other.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(other.receive { $0.hasSuffix("GET /next 0\n") }.text.contains(" 200 "))
        await server.stop()
    }
}
