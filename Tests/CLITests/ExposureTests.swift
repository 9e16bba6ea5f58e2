import Testing

@testable import AuthServer

@Suite("What is refused unless it is asked for by name")
struct ExposureTests {
    @Test(
        "Loopback needs nothing; a network needs TLS and an https issuer",
        arguments: [
            "", "--issuer=https://auth.example.com", "--listen=[::1]:0", "--listen=localhost:80",
            "--listen=127.1.2.3:80", "--issuer=http://localhost:8083",
            "--issuer=http://auth.example.com --allow-http-issuer",
            "--listen=0.0.0.0:443 --tls-certificate=c --tls-key=k --issuer=https://auth.example.com",
            "--tls-certificate=c --tls-key=k", "--tls-certificate=c --tls-key=k --issuer=https://localhost",
            "--tls-certificate=c --tls-key=k --issuer=http://localhost --allow-http-issuer",
            "--listen=0.0.0.0:80 --allow-insecure-listen --issuer=https://auth.example.com",
            "--listen=10.0.0.1:80 --allow-insecure-listen --allow-http-issuer --issuer=http://auth.example.com",
        ])
    func accepts(flags: String) throws {
        _ = try ServerConfiguration(settings(flags.split(separator: " ").map(String.init)))
    }

    @Test(
        "Everything else is refused with a hint that names the flag",
        arguments: [
            ("--listen=0.0.0.0:80 --issuer=https://a", "--allow-insecure-listen"),
            ("--listen=[::]:80 --issuer=https://a", "--allow-insecure-listen"),
            ("--listen=127.0.0.1.example.com:80 --issuer=https://a", "--allow-insecure-listen"),
            ("--listen=127.0.0.256:80 --issuer=https://a", "--allow-insecure-listen"),
            ("--listen=127.00.0.1:80 --issuer=https://a", "--allow-insecure-listen"),
            ("--issuer=http://127.0.0.01", "--allow-http-issuer"),
            ("--listen=0.0.0.0:443 --tls-certificate=c --tls-key=k --issuer=http://a", "--allow-http-issuer"),
            ("--tls-certificate=c --tls-key=k --issuer=http://localhost:8083", "https://localhost:8083,"),
            ("--listen=0.0.0.0:80 --allow-insecure-listen --issuer=http://a", "--allow-http-issuer"),
            ("--listen=0.0.0.0:80 --allow-insecure-listen --issuer=http://localhost", "--allow-http-issuer"),
            ("--issuer=http://auth.example.com", "--allow-http-issuer"),
        ])
    func refuses(flags: String, named: String) {
        let error = #expect(throws: CommandError.self) {
            try ServerConfiguration(settings(flags.split(separator: " ").map(String.init)))
        }
        #expect(error?.code == .configuration && error?.exitCode == .usage)
        #expect(error?.hint?.contains(named) == true)
    }

    @Test("A server beyond loopback has to be told its issuer")
    func issuerIsNeeded() {
        let error = #expect(throws: CommandError.self) {
            try ServerConfiguration(settings(["--listen=0.0.0.0:443", "--tls-certificate=c", "--tls-key=k"]))
        }
        #expect(error?.hint == "give --issuer https://NAME as clients see it")
    }
}

@Suite("Issuers (RFC 8414 §2)")
struct IssuerTests {
    @Test(
        "An issuer is a URL without query and fragment, in its one spelling",
        arguments: [
            ("https://auth.example.com", "auth.example.com", ""),
            ("https://auth.example.com:8443/tenant/one", "auth.example.com", "/tenant/one"),
            ("http://127.0.0.1:8083", "127.0.0.1", ""), ("http://[::1]:8083/a", "::1", "/a"),
            ("https://[::1]", "::1", ""),
        ])
    func accepts(text: String, host: String, path: String) throws {
        let issuer = try Issuer(text)
        #expect(issuer.value == text && issuer.host == host && issuer.path == path)
    }

    @Test(
        "Anything else says what to do",
        arguments: [
            ("auth.example.com", .scheme), ("ftp://a", .scheme), ("", .scheme), ("https:/a", .scheme),
            ("https://", .trailingSlash), ("https://:80", .authority), ("https://a:", .authority),
            ("https://a:70000", .authority), ("https://a:0", .authority), ("https://a b", .authority),
            ("https://[::1", .authority), ("https://a?x=1", .queryOrFragment),
            ("https://a#", .queryOrFragment),
            ("https://a/", .trailingSlash), ("https://a/b/", .trailingSlash),
            ("https://user@a", .userInformation), ("https://A.example", .upperCase),
            ("HTTPS://a", .upperCase),
            ("https://a//b", .character), ("https://a/../b", .character), ("https://a/é", .character),
        ] as [(String, Issuer.Problem)])
    func refuses(text: String, problem: Issuer.Problem) {
        #expect(throws: problem) { try Issuer(text) }
    }

    @Test("The derived issuer follows the port that the system chose")
    func derived() throws {
        #expect(
            try configuration("--listen", "127.0.0.1:0").issuer(boundTo: 4711).value
                == "http://127.0.0.1:4711")
        #expect(try configuration("--listen", "[::1]:0").issuer(boundTo: 4711).value == "http://[::1]:4711")
    }
}

@Suite("Listen addresses")
struct ListenAddressTests {
    @Test(
        "HOST:PORT", arguments: ["127.0.0.1:8083", "localhost:0", "[::1]:65535", "0.0.0.0:80", "[fe80::1]:1"])
    func accepts(text: String) {
        #expect(ListenAddress(text)?.description == text)
    }

    @Test(
        "Nothing else",
        arguments: [
            "", ":", ":80", "a:", "a", "a:65536", "a:-1", "a:+1", "::1:80", "[::1]", "[a]:1", "a b:1", "[]:1",
            String(repeating: "a", count: 254) + ":1",
        ])
    func refuses(text: String) {
        #expect(ListenAddress(text) == nil)
    }
}
