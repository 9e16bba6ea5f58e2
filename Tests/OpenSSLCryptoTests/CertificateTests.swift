import OpenSSLCrypto
import TestSupport
import Testing

@Suite("A server's own certificate")
struct CertificateTests {
    private let server: Certificate

    init() throws {
        server = try #require(Certificate.chain(pem: Array(TestCertificates.server.utf8))?.first)
    }

    @Test("A chain keeps its order, and what is around and between its blocks is passed over")
    func chain() throws {
        let text =
            "\u{E9}\0\n" + TestCertificates.server + TestCertificates.key + TestCertificates.intermediate
        let chain = try #require(Certificate.chain(pem: bytes(text)))
        // date -ud @1580515200 is 2020-02-01.
        #expect(chain.map(\.firstSecond) == [1_577_836_800, 1_577_836_800])
        #expect(chain.map(\.lastSecond) == [1_580_515_200, 1_579_564_800])
    }

    @Test("What holds no certificate has none, and a damaged one is not passed over")
    func malformed() {
        for text in ["", "text", TestCertificates.key] {
            #expect(Certificate.chain(pem: bytes(text))?.isEmpty == true)
        }
        let lines = TestCertificates.server.split(separator: "\n")
        let truncated = (lines.prefix(3) + lines.suffix(1)).joined(separator: "\n")
        #expect(Certificate.chain(pem: bytes(TestCertificates.intermediate + truncated)) == nil)
        #expect(Certificate.chain(pem: bytes(lines.prefix(3).joined(separator: "\n"))) == nil)
    }

    @Test(
        "It covers the names and addresses that it has, each as what it is (RFC 6125 §6.4)",
        arguments: [
            ("localhost", true), ("auth.example.com", true), ("AUTH.example.com", true),
            ("a.wild.example", true), ("wild.example", false), ("a.b.wild.example", false),
            ("example.com", false), ("auth.example.com.elsewhere.example", false),
            // The subject counts for nothing where there are other names.
            ("server", false),
            ("127.0.0.1", true), ("127.0.0.2", false), ("::1", true), ("0:0:0:0:0:0:0:1", true),
            ("::2", false), ("", false),
        ])
    func names(host: String, isCovered: Bool) {
        #expect(server.covers(host) == isCovered)
    }

    @Test("It belongs to its own key alone")
    func ownKey() throws {
        let key = try #require(CertificateKey(pem: bytes(TestCertificates.key)))
        let other = try #require(CertificateKey(pem: bytes(TestCertificates.intermediateKey)))
        #expect(server.belongs(to: key))
        #expect(!server.belongs(to: other))
    }

    @Test(
        "Nobody is asked for a passphrase, and what is no key is none",
        arguments: [TestCertificates.encryptedKey, TestCertificates.server, "text", ""])
    func noKey(text: String) {
        #expect(CertificateKey(pem: bytes(text)) == nil)
    }

    private func bytes(_ text: String) -> [UInt8] { Array((text + "\n").utf8) }
}
