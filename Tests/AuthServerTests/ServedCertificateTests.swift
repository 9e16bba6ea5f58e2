import EventLoop
import Synchronization
import TestSupport
import Testing

@testable import AuthServer

@Suite("What is said of a certificate that is served")
struct ServedCertificateTests {
    /// The 1st of January 2020, when the certificates begin, in seconds.
    private static let begin: Int64 = 1_577_836_800
    private static let day: Int64 = 86_400

    @Test(
        "Its end, from two weeks before it on, and its beginning",
        arguments: [
            (0, nil), (16 * day, nil), (17 * day, nil), (17 * day + 1, "ends in 13 days, on 2020-02-01"),
            (22 * day, "ends in 9 days, on 2020-02-01"), (30 * day, "ends in 1 day, on 2020-02-01"),
            (30 * day + 1, "ends within a day, on 2020-02-01"),
            (31 * day, "ends within a day, on 2020-02-01"),
            (31 * day + 1, "ended on 2020-02-01"), (4000 * day, "ended on 2020-02-01"),
            (-1, "is not valid before 2020-01-01"), (-4000 * day, "is not valid before 2020-01-01"),
        ] as [(Int64, String?)])
    func validity(afterBegin seconds: Int64, expected: String?) {
        let concerns = served().concerns(for: issuer(), at: (Self.begin + seconds) * 1000)
        #expect(concerns == (expected.map { ["the TLS certificate chain.pem \($0)"] } ?? []))
    }

    @Test("Those that vouch for it end too, and are told apart")
    func chain() {
        let served = served(certificates: TestCertificates.server + "\n" + TestCertificates.intermediate)
        #expect(
            served.concerns(for: issuer(), at: (Self.begin + 25 * Self.day) * 1000) == [
                "the TLS certificate chain.pem ends in 6 days, on 2020-02-01",
                "certificate number 2 in chain.pem ended on 2020-01-21",
            ])
    }

    @Test(
        "The issuer's host, which clients look for in it; behind a proxy that takes http they do not",
        arguments: [
            ("https://auth.example.com", nil), ("https://auth.example.com:8443/tenant", nil),
            ("https://127.0.0.1:8083", nil), ("https://[::1]", nil), ("https://a.wild.example", nil),
            ("https://elsewhere.example", "elsewhere.example"), ("https://[::2]:8083", "::2"),
            ("https://127.0.0.2", "127.0.0.2"), ("http://elsewhere.example", nil),
        ] as [(String, String?)])
    func host(issuer text: String, uncovered: String?) throws {
        let concerns = served().concerns(for: try Issuer(text), at: Self.begin * 1000)
        let expected = uncovered.map {
            "the TLS certificate chain.pem does not cover \($0), the host of the issuer"
        }
        #expect(concerns == (expected.map { [$0] } ?? []))
    }

    @Test("A key that every user may read")
    func openKey() {
        #expect(
            served(keyIsReadableByAll: true).concerns(for: issuer(), at: Self.begin * 1000)
                == [
                    "the TLS key the key.pem can be read by every user of this machine: run chmod o= 'the key.pem'"
                ])
    }

    @Test("It is said at once, and again and again until the look ends")
    func again() async throws {
        let lines = Mutex<[String]>([])
        let (said, saying) = AsyncStream.makeStream(of: Void.self)
        let running = try EventLoop.start(name: "look")
        let (loop, served, issuer) = (running.loop, served(), issuer())
        await Task(executorPreference: loop) {
            let look = CertificateLook(
                at: served, issuer: issuer, loop: loop, every: .milliseconds(5),
                clock: { (Self.begin - 1) * 1000 }
            ) { line in
                lines.withLock { $0.append(line) }
                saying.yield()
            }
            #expect(lines.withLock { $0.count } == 1)
            var count = 0
            for await _ in said {
                count += 1
                if count == 3 { break }
            }
            withExtendedLifetime(look) {}
        }.value
        running.loop.stop()
        running.join()
        #expect(
            Set(lines.withLock { $0 }) == ["the TLS certificate chain.pem is not valid before 2020-01-01"])
    }

    private func issuer() -> Issuer {
        .init(loopback: ListenAddress(host: "localhost", port: 1), isHTTPS: true)
    }

    private func served(
        certificates: String = TestCertificates.server, keyIsReadableByAll: Bool = false
    ) -> ServedCertificate {
        ServedCertificate(
            certificate: TLSFile(.certificate, path: "chain.pem", content: Array(certificates.utf8)),
            key: TLSFile(
                .key, path: "the key.pem", content: Array(TestCertificates.key.utf8),
                isReadableByAll: keyIsReadableByAll))
    }
}
