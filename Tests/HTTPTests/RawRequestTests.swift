import HTTP
import Synchronization
import TestSupport
import Testing

/// Requests that parsers read in different ways (B24), with another request behind them in the same bytes: what is
/// refused brings nothing behind it to the handler either, so that nobody can hide a request in another one.
@Suite("Raw requests (RFC 9112)")
struct RawRequestTests {
    struct Raw: Sendable {
        let name: String
        let bytes: [UInt8]

        init(_ name: String, _ text: String) {
            self.name = name
            bytes = Array(text.utf8)
        }

        /// A GET with these lines behind Host.
        static func get(_ name: String, _ lines: String) -> Raw {
            Raw(name, "GET /seen HTTP/1.1\r\nHost: a\r\n\(lines)\r\n\r\n")
        }

        /// A POST with these lines behind Host, and a body.
        static func post(_ name: String, _ lines: String, body: String = "abc") -> Raw {
            Raw(name, "POST /seen HTTP/1.1\r\nHost: a\r\n\(lines)\r\n\r\n\(body)")
        }

        /// A GET with this request line.
        static func line(_ name: String, _ line: String) -> Raw { Raw(name, "\(line)\r\nHost: a\r\n\r\n") }
    }

    private static let lengths: [Raw] = [
        .post("two lengths, different", "Content-Length: 3\r\nContent-Length: 4"),
        .post("two lengths, equal, in two cases", "Content-Length: 3\r\ncontent-length: 3"),
        .post("no length", "Content-Length:"),
        .post("a sign", "Content-Length: +3"), .post("a negative length", "Content-Length: -3"),
        .post("hexadecimal", "Content-Length: 0x3"), .post("a fraction", "Content-Length: 3.0"),
        .post("a semicolon", "Content-Length: 3;"), .post("a list", "Content-Length: 3, 3"),
        .post("two numbers", "Content-Length: 3 3"), .post("quoted", "Content-Length: \"3\""),
        .post("a vertical tab before it", "Content-Length:\u{B}3"),
        .post("a digit that is not ASCII", "Content-Length: \u{FF13}"),
        .post("beyond 64 bits", "Content-Length: 18446744073709551619"),
        .post("a space before the colon", "Content-Length : 3"),
        .post("a tab before the colon", "Content-Length\t: 3"),
        .post("a NUL in the name", "Content-Length\0: 3"),
        .post("a NUL in the value", "Content-Length: 3\u{0}9"),
        .post("folded, with a digit in the next line", "Content-Length: 1\r\n 0", body: "abcdefghij"),
        .post("folded, with the length in the next line", "Content-Length:\r\n 3"),
        .post("folded, with other text in the next line", "Content-Length: 3\r\n x"),
        .post("folded, with nothing in the next line", "Content-Length: 3\r\n "),
        .post("a name of two lines", "Content-Len: 3\r\n gth"),
        .post("CR alone before it", "X: y\rContent-Length: 3"),
        .post("CR alone behind it", "Content-Length: 3\rX: y"),
        .post("LF alone behind it", "Content-Length: 3\nX: y"),
    ]

    private static let codings: [Raw] = [
        .post("chunked", "Transfer-Encoding: chunked", body: "0\r\n\r\n"),
        .post("chunked, upper case", "TRANSFER-ENCODING: CHUNKED", body: "0\r\n\r\n"),
        .post("chunked twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", body: "0\r\n\r\n"),
        .post("chunked and then identity", "Transfer-Encoding: chunked, identity", body: "0\r\n\r\n"),
        .post("gzip and chunked", "Transfer-Encoding: gzip, chunked", body: "0\r\n\r\n"),
        .post("chunked and a length", "Transfer-Encoding: chunked\r\nContent-Length: 5", body: "0\r\n\r\n"),
        .post("a length and chunked", "Content-Length: 5\r\nTransfer-Encoding: chunked", body: "0\r\n\r\n"),
        .post("identity and a length", "Transfer-Encoding: identity\r\nContent-Length: 3"),
        .post("nothing, and a length", "Transfer-Encoding:\r\nContent-Length: 3"),
        .post("quoted, and a length", "Transfer-Encoding: \"chunked\"\r\nContent-Length: 3"),
        .post("a vertical tab before it", "Transfer-Encoding:\u{B}chunked\r\nContent-Length: 3"),
        .post("a space before the colon", "Transfer-Encoding : chunked\r\nContent-Length: 3"),
        .post("a NUL in the name", "Transfer-Encoding\0: chunked\r\nContent-Length: 3"),
        .post("a NUL before the name", "\0Transfer-Encoding: chunked\r\nContent-Length: 3"),
        .post("folded", "Transfer-Encoding:\r\n chunked\r\nContent-Length: 3"),
        .post("folded by a tab", "Transfer-Encoding:\r\n\tchunked\r\nContent-Length: 3"),
        .post(
            "a folded line that looks like one", "X: y\r\n Transfer-Encoding: chunked\r\nContent-Length: 3"),
        .post("CR alone before it", "X: y\rTransfer-Encoding: chunked\r\nContent-Length: 3"),
        .post("LF alone before it", "X: y\nTransfer-Encoding: chunked\r\nContent-Length: 3"),
        .post("behind a line without a name", ": y\r\nTransfer-Encoding: chunked"),
        .post("behind a colon", ":\r\nTransfer-Encoding: chunked"),
        Raw("HTTP/1.0", "POST /seen HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    ]

    private static let fields: [Raw] = [
        .get("no colon", "X"), .get("no name", ": y"), .get("a space in the name", "X y: z"),
        .get("a letter in the name that is not ASCII", "\u{E9}: y"), .get("a bracket in the name", "X(: y"),
        .get("a NUL in the name", "X\0: y"), .get("a NUL in the value", "X: a\u{0}b"),
        .get("CR alone in the value", "X: a\rb"), .get("a control character in the value", "X: a\u{1}b"),
        .get("DEL in the value", "X: a\u{7F}"), .get("a folded value", "X: a\r\n b"),
        .get("two Hosts", "Host: a"), .get("two Hosts in two cases", "HOST: a"),
        Raw("no Host", "GET /seen HTTP/1.1\r\nX: y\r\n\r\n"),
        Raw("no fields", "GET /seen HTTP/1.1\r\n\r\n"),
        Raw("a Host with a path", "GET /seen HTTP/1.1\r\nHost: a/b\r\n\r\n"),
        Raw("a Host with a user", "GET /seen HTTP/1.1\r\nHost: a@b\r\n\r\n"),
        Raw("a list of Hosts", "GET /seen HTTP/1.1\r\nHost: a, b\r\n\r\n"),
        Raw("a Host with two ports", "GET /seen HTTP/1.1\r\nHost: a:1:2\r\n\r\n"),
        Raw("a Host with half a bracket", "GET /seen HTTP/1.1\r\nHost: [::1\r\n\r\n"),
        Raw("white space before the first field", "GET /seen HTTP/1.1\r\n Host: a\r\n\r\n"),
        Raw("white space before the first of two", "GET /seen HTTP/1.1\r\n X: y\r\nHost: a\r\n\r\n"),
        Raw("LF for each line end", "GET /seen HTTP/1.1\nHost: a\n\n"),
        Raw("LF behind the request line", "GET /seen HTTP/1.1\nHost: a\r\n\r\n"),
        Raw("LF behind the last field", "GET /seen HTTP/1.1\r\nHost: a\n\r\n"),
        Raw("LF for the empty line", "GET /seen HTTP/1.1\r\nHost: a\r\n\n"),
        .get("a hundred thousand fields", String(repeating: "a:\r\n", count: 100_000) + "b:"),
        .get("a field of 20 kB", "Authorization: Basic " + String(repeating: "QUJD", count: 5000)),
    ]

    private static let requestLines: [Raw] = [
        .line("no version", "GET /seen"), Raw("HTTP/0.9", "GET /seen\r\n\r\n"),
        .line("a lower-case version", "GET /seen http/1.1"), .line("HTTP/1.2", "GET /seen HTTP/1.2"),
        .line("HTTP/2.0", "GET /seen HTTP/2.0"), .line("HTTP/1.10", "GET /seen HTTP/1.10"),
        .line("HTTP/11", "GET /seen HTTP/11"), .line("text behind the version", "GET /seen HTTP/1.1 x"),
        .line("two spaces before the target", "GET  /seen HTTP/1.1"),
        .line("two spaces behind the target", "GET /seen  HTTP/1.1"),
        .line("a space in the target", "GET /se en HTTP/1.1"),
        .line("a tab for a space", "GET\t/seen HTTP/1.1"),
        .line("a space before the method", " GET /seen HTTP/1.1"),
        .line("a method that is no token", "G(T /seen HTTP/1.1"),
        .line("a NUL in the method", "GET\0 /seen HTTP/1.1"),
        .line("a NUL in the target", "GET /seen\0x HTTP/1.1"),
        .line("CR alone in the target", "GET /seen\rx HTTP/1.1"),
        .line("a letter that is not ASCII", "GET /\u{E9} HTTP/1.1"),
        .line("a fragment", "GET /seen#x HTTP/1.1"),
        .line("a target without a slash", "GET seen HTTP/1.1"),
        .line("a target of another scheme", "GET ftp://a/seen HTTP/1.1"),
        .line("an absolute target with a user", "GET http://b@a/seen HTTP/1.1"),
        .line("a NUL in the authority", "GET http://a\0b/seen HTTP/1.1"),
        .line("a NUL behind the authority", "GET http://a\0/seen HTTP/1.1"),
        .line("a space in the authority", "GET http://a b/seen HTTP/1.1"),
        .line("CR alone in the authority", "GET http://a\rb/seen HTTP/1.1"),
        .line("CONNECT", "CONNECT a:80 HTTP/1.1"), .line("the preface of HTTP/2", "PRI * HTTP/2.0"),
        Raw("TLS", "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\n"),
        .line("a long target", "GET /\(String(repeating: "a", count: 20_000)) HTTP/1.1"),
    ]

    private static let accepted: [Raw] = [
        .post("no white space", "Content-Length:3"), .post("a tab", "Content-Length:\t3"),
        .post("zeros before it", "Content-Length: 0003"),
        .post("a name in capitals", "CONTENT-LENGTH: 3"),
        .post("a field that is none of length", "Content_Length: 9\r\nContent-Length: 3"),
        .post("white space behind a value", "X: y \t\r\nContent-Length: 3"),
        .post("an empty value", "X:\r\nY: \r\nContent-Length: 3"),
        .post("letters that are not ASCII in a value", "X: \u{E9}\r\nContent-Length: 3"),
        .post("a cookie", "Cookie: a=b; c=\"d\"\r\nContent-Length: 3"),
        .post("an upgrade", "Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 3"),
        .post("an expectation that is not known", "Expect: x\r\nContent-Length: 3"),
        Raw(
            "empty lines before the request",
            "\r\n\r\nPOST /seen HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"),
        Raw("a body with GET", "GET /seen HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"),
        Raw("a host of no characters", "POST /seen HTTP/1.1\r\nHost:\r\nContent-Length: 3\r\n\r\nabc"),
        Raw(
            "a host with a port",
            "POST /seen HTTP/1.1\r\nHost: a.b-c:8080\r\nContent-Length: 3\r\n\r\nabc"),
        Raw("an IPv6 address", "POST /seen HTTP/1.1\r\nHost: [::1]:80\r\nContent-Length: 3\r\n\r\nabc"),
        Raw(
            "an absolute target",
            "POST http://b:80/seen?a=b HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"),
        Raw("a query", "POST /seen?a=b&c=%20 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"),
    ]

    /// Requests that are wrong in one respect.
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let raws: [Raw]
    }

    static let kinds = [
        Kind(testDescription: "lengths", raws: lengths),
        Kind(testDescription: "transfer codings", raws: codings),
        Kind(testDescription: "fields", raws: fields),
        Kind(testDescription: "request lines", raws: requestLines),
    ]

    @Test("B24 what can be read in two ways is refused, with what comes behind it", arguments: kinds)
    func refuses(kind: Kind) async throws {
        let server = try RecordingServer()
        for raw in kind.raws {
            let (text, closed, seen) = try server.send(raw)
            #expect(closed, "\(raw.name)")
            #expect(seen == [], "\(raw.name)")
            // The engine closes without a word where a request line has spaces too many.
            let status = text.split(separator: " ").dropFirst().first.map(String.init)
            let isRefusal = status.map { ["400", "411", "413", "431", "505"].contains($0) } ?? text.isEmpty
            #expect(isRefusal, "\(raw.name): \(text)")
        }
        await server.stop()
    }

    @Test("B24 what can be read in one way only is read, and the next request too")
    func reads() async throws {
        let server = try RecordingServer()
        for raw in Self.accepted {
            let (text, _, seen) = try server.send(raw)
            #expect(seen == ["/seen 3", "/behind 0"], "\(raw.name): \(text)")
            #expect(text.hasPrefix("HTTP/1.1 200 "), "\(raw.name)")
        }
        await server.stop()
    }

    @Test("B24 a request that comes in pieces is read as one that comes at once")
    func readsPieces() async throws {
        let server = try RecordingServer()
        let large = Raw.post("large", "X: \(String(repeating: "x", count: 16_000))\r\nContent-Length: 3")
        for (raw, size) in [(Raw.post("short", "X:y\r\nContent-Length: 3"), 19), (large, 5000)] {
            let (text, _, seen) = try server.send(raw, inPiecesOf: size)
            #expect(seen == ["/seen 3", "/behind 0"], "\(raw.name): \(text)")
        }
        await server.stop()
    }

    /// A server that keeps what its handler saw.
    private final class RecordingServer: Sendable {
        private let server: RunningServer
        private let seen: Log

        /// The requests that the handler saw: path, and size of the body.
        private final class Log: Sendable {
            let entries = Mutex<[String]>([])
        }

        init() throws {
            let seen = Log()
            self.seen = seen
            server = try RunningServer { request in
                let entry = "\(request.path) \(request.body.count)"
                seen.entries.withLock { $0.append(entry) }
                return .text(200, entry)
            }
        }

        /// The answer to these bytes and a request behind them, and what the handler saw.
        func send(
            _ raw: Raw, inPiecesOf size: Int = .max
        ) throws -> (text: String, closed: Bool, seen: [String]) {
            seen.entries.withLock { $0 = [] }
            let client = try RawConnection(port: server.port)
            var rest = (raw.bytes + Array("GET /behind HTTP/1.1\r\nHost: a\r\n\r\n".utf8))[...]
            while rest.count > size {
                client.send(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
                _ = client.receiveBytes(within: .milliseconds(2)) { _ in false }
            }
            client.send(Array(rest))
            let (text, closed) = client.receive { $0.hasSuffix("/behind 0\n") }
            return (text, closed, seen.entries.withLock { $0 })
        }

        func stop() async { await server.stop() }
    }
}
