import OutboundHTTP
import Testing

struct EndpointURLTests {
    @Test(arguments: [
        "https://auth.example", "https://auth.example:8443/a/b?c=d", "http://127.0.0.1:8083",
        "http://localhost:8083/x", "http://[::1]:8083", "HTTPS://auth.example",
    ])
    func `https anywhere and http on the loopback interface are taken`(text: String) throws {
        #expect(try EndpointURL(text).text == text)
    }

    @Test(arguments: [
        "http://auth.example", "http://127.evil.example", "http://127.0.0.1.evil.example",
        "http://localhost.evil.example", "file:///etc/passwd", "ftp://auth.example", "auth.example", "",
        "//x",
        "https://", "https://user@auth.example", "https://user:secret@auth.example", "https://auth.example#x",
        "https://auth.example/ x", "https://auth.example/\r\nX: y", "https://auth.exämple",
        "http://0x7f000001", "http://127.+0.0.1", "http://127.0.0.-0", "http://127.0.0.0001",
        "http://127.0.0.08", "http://127.00.0.1",
        "http://127.0.0.",
    ])
    func `anything else is refused`(text: String) {
        #expect(throws: EndpointURLError.self) { try EndpointURL(text) }
    }

    @Test func `plain http elsewhere is taken where it was asked for by name`() throws {
        #expect(try !EndpointURL("http://auth.example", allowsPlainHTTP: true).isEncrypted)
        #expect(throws: EndpointURLError.self) {
            try EndpointURL("ftp://auth.example", allowsPlainHTTP: true)
        }
    }

    @Test(arguments: [
        ("https://auth.example", "https://auth.example/.well-known/oauth-authorization-server"),
        ("https://auth.example/", "https://auth.example/.well-known/oauth-authorization-server"),
        ("https://auth.example/a/b", "https://auth.example/.well-known/oauth-authorization-server/a/b"),
        ("https://auth.example:1/a/", "https://auth.example:1/.well-known/oauth-authorization-server/a"),
    ])
    func `the well-known part stands between host and path (RFC 8414 §3.1)`(
        issuer: String, location: String
    ) throws {
        #expect(try ServerMetadata.location(of: EndpointURL(issuer)).text == location)
    }
}
