import HTTP
import TestSupport
import Testing

/// Which request targets are served, and as what path and query; each over a real socket.
@Suite("Request targets (RFC 9112 §3.2)")
struct RequestTargetTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let target: String
        let path: String
        let query: String?
        var testDescription: String { target }

        init(_ target: String, _ path: String, _ query: String? = nil) {
            (self.target, self.path, self.query) = (target, path, query)
        }
    }

    static let served = [
        Case("/a", "/a"), Case("/a?b=c?d", "/a", "b=c?d"), Case("/a?", "/a", ""), Case("*", "*"),
        Case("//a/b", "//a/b"), Case("/http://a/b", "/http://a/b"), Case("/a?http://b/c", "/a", "http://b/c"),
        Case("http://127.0.0.1:8083/oauth/token", "/oauth/token"), Case("https://a/b", "/b"),
        Case("HTTP://a/b", "/b"), Case("hTTpS://A/B", "/B"), Case("http://a.b-c/d%2Fe/", "/d%2Fe/"),
        Case("http://[::1]:80/a", "/a"), Case("http://[::1]/a", "/a"), Case("http://a:/b", "/b"),
        Case("http://a%2Db:65535/b", "/b"),
        Case("http://other.example/a", "/a"), Case("http://a", "/"), Case("http://a/", "/"),
        Case("http://a:80", "/"), Case("http://a?b=c", "/", "b=c"), Case("http://a?", "/", ""),
        Case("http://a?/b", "/", "/b"), Case("http://a/b?c=d@e:f", "/b", "c=d@e:f"),
        Case("http://a//b", "//b"), Case("http://a/http://b/c", "/http://b/c"),
        Case("http://a/b@c:d", "/b@c:d"), Case("http://a/..", "/.."),
    ]

    @Test("§3.2.2 the absolute form is read as the origin form behind its authority", arguments: served)
    func serves(given: Case) async throws {
        let answer = try await answer(to: given.target)
        #expect(answer.text.hasPrefix("HTTP/1.1 200 "), "\(answer.text)")
        #expect(answer.text.hasSuffix("\r\n\r\n\(given.path) \(given.query ?? "-") x\n"), "\(answer.text)")
        #expect(!answer.closed)
    }

    static let refused = [
        // Of the absolute form, but not of this server's schemes.
        "ftp://a/b", "ws://a/b", "httpx://a/b", "http+unix://a/b", "file:///a", "urn:a:b", "data:,a",
        "h://a/b",
        // No authority, or none that is a host with or without a port.
        "http:/a", "http:a", "http:", "http://", "http:///a", "http://?a", "http://:80/a", "http://:/a",
        "http:\\\\a/b", "http://a\\b/c", "http://a:b/c", "http://a:80:81/b", "http://a:-1/b", "http://[::1/a",
        "http://[::1]a/b", "http://[]/a", "http://a%/b", "http://a%0/b", "http://a%0g/b", "http://a:000080/b",
        "http://::1/a", "http://\u{E9}/a",
        // A user.
        "http://a@b/c", "http://a:b@c/d", "http://@a/b", "http://a%40b@c/d",
        "https://user:secret@127.0.0.1/a",
        // A fragment.
        "http://a#b", "http://a/b#c", "http://a?b#c", "/a#b",
        // The authority form, and what is no target at all.
        "a:80", "127.0.0.1:80", "a", "a/b", "?a", "*?a", "**", "*/a", ":", "://a/b", "://", "[::1]:80",
        "\u{7F}",
    ]

    @Test("§3.2 nothing else is, and the connection is closed", arguments: refused)
    func refuses(target: String) async throws {
        let answer = try await answer(to: target)
        #expect(answer.text.hasPrefix("HTTP/1.1 400 "), "\(answer.text)")
        #expect(answer.text.contains("the request target is malformed"), "\(answer.text)")
        #expect(answer.closed)
    }

    @Test(
        "§3.2 an authority in the target stands for no Host, and what Host says counts for nothing",
        arguments: [
            (400, "HTTP/1.1\r\nHost: a\r\nHost: a"), (400, "HTTP/1.1\r\nX: y"),
            (400, "HTTP/1.1\r\nHost: a/b"), (400, "HTTP/1.1\r\nHost: a@b"),
            (200, "HTTP/1.1\r\nHost:"), (200, "HTTP/1.1\r\nHost: b"), (200, "HTTP/1.0"),
        ])
    func host(status: Int, behindTarget: String) async throws {
        let server = try RunningServer { .text(200, "\($0.path)") }
        let client = try RawConnection(port: server.port)
        client.send("GET http://a/b \(behindTarget)\r\n\r\n")
        let (text, _) = client.receive { $0.hasSuffix("\r\n\r\n/b\n") }
        #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(text)")
        await server.stop()
    }

    @Test("A target that is large is refused as the header block that it makes large")
    func large() async throws {
        let answer = try await answer(to: "http://\(String(repeating: "a", count: 17_000))/b")
        #expect(answer.text.hasPrefix("HTTP/1.1 431 "), "\(answer.text)")
    }

    /// What is answered to a POST of one byte, by a handler that says what it was asked.
    private func answer(to target: String) async throws -> (text: String, closed: Bool) {
        let server = try RunningServer { request in
            .text(
                200,
                "\(request.path) \(request.query ?? "-") \(String(decoding: request.body, as: UTF8.self))")
        }
        let client = try RawConnection(port: server.port)
        client.send("POST \(target) HTTP/1.1\r\nHost: 127.0.0.1:8083\r\nContent-Length: 1\r\n\r\nx")
        let answer = client.receive { $0.hasPrefix("HTTP/1.1 200 ") && $0.hasSuffix(" x\n") }
        await server.stop()
        return answer
    }
}
