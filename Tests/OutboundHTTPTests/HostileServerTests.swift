import LocalServer
import OutboundHTTP
import Testing

/// What a hostile server sends; long ones are not printed.
struct HostileAnswer: CustomTestStringConvertible, ExpressibleByStringLiteral, Sendable {
    let bytes: String

    init(stringLiteral text: String) { bytes = text }
    init(_ text: String) { bytes = text }

    var testDescription: String { String(bytes.prefix(60)).debugDescription }
}

/// Whatever a server sends, there is an answer or an error, within the deadline.
struct HostileServerTests {
    @Test(arguments: [
        HostileAnswer("HTTP/1.1 200 OK\r\nX: " + String(repeating: "y", count: 400_000) + "\r\n\r\n"),
        HostileAnswer("HTTP/1.1 200 OK\r\n" + String(repeating: "A: b\r\n", count: 4000) + "\r\n"),
        "", "\r\n\r\n", "garbage", "HTTP/1.1\r\n\r\n", "HTTP/1.1 abc OK\r\n\r\n", "HTTP/1.1 99999 OK\r\n\r\n",
        "HTTP/9.9 200 OK\r\n\r\n{}", "HTTP/1.1 200 OK\r\nno colon\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\n: x\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 302 Found\r\nLocation: ::::\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: \r\n\r\n", "HTTP/1.1 101 Switching Protocols\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 401 No\r\nWWW-Authenticate: realm=\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 401 No\r\nWWW-Authenticate: Digest realm=\"x\", nonce=\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 401 No\r\nWWW-Authenticate: ,,,=\"\\\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nSet-Cookie: =;;;=; Expires=never\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 200 OK\r\nX: \u{0}\u{1}é\r\nContent-Length: 2\r\n\r\n{}",
    ])
    func `A30 no answer ends the process or waits for ever`(answer: HostileAnswer) async throws {
        let http = OutboundHTTP(maximumBytes: 1000, maximumPending: 2)
        let server = try LocalServer { _ in .raw(answer.bytes) }
        let url = try EndpointURL(server.url)
        do throws(OutboundError) {
            let response = try await http.send(.get(url), deadline: .milliseconds(500))
            #expect(response.body.count <= 1000)
        } catch {
            #expect(error != .overloaded && error != .cancelled)
        }
    }
}
