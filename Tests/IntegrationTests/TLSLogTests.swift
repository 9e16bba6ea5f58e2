import Foundation
import Glibc
import ServerCases
import TestSupport
import Testing

extension RealProcess {
    @Suite("What the log says of TLS files")
    struct TLSLogTests {
        @Test(
            "What clients would not accept in a certificate, at the start and at each SIGHUP; it is served all the same"
        )
        func concerns() async throws {
            let scenario = try Scenario(withBroughtSecrets: false)
            let (certificate, key) = (scenario.file("chain.pem"), scenario.file("key.pem"))
            try Self.write(TestCertificates.server, to: certificate, mode: 0o644)
            try Self.write(TestCertificates.key, to: key, mode: 0o644)
            let lines = [
                "the TLS certificate \(certificate) ended on 2020-02-01",
                "the TLS certificate \(certificate) does not cover elsewhere.example, the host of the issuer",
                "the TLS key \(key) can be read by every user of this machine: run chmod o= \(key)",
            ]
            try await withServer(
                scenario, issuer: "https://elsewhere.example",
                arguments: ["--tls-certificate", certificate, "--tls-key", key, "--threads", "2"]
            ) { server in
                #expect(lines.map { Self.count($0, in: server) } == [1, 1, 1], "\(server.log)")

                server.signal(SIGHUP)
                try await Self.isReadAgain(server, times: 1)
                #expect(lines.map { Self.count($0, in: server) } == [2, 2, 2], "\(server.log)")

                try Self.write(TestCertificates.key, to: key, mode: 0o640)
                server.signal(SIGHUP)
                try await Self.isReadAgain(server, times: 2)
                #expect(lines.map { Self.count($0, in: server) } == [3, 3, 2], "\(server.log)")
                #expect(try await Self.handshakes(server, trusting: certificate))
            }
        }

        @Test("At a SIGHUP, files that are refused are named with the reason, and the old ones stay")
        func refusedAgain() async throws {
            try await Self.withTLS { server, certificate, key in
                try Self.write(TestCertificates.encryptedKey, to: key, mode: 0o600)
                server.signal(SIGHUP)
                try await eventually("it is said") { server.log.contains("was not read again") }
                let line =
                    "the configuration was not read again: the TLS key \(key) is encrypted, and the server "
                    + "cannot ask for its passphrase: write it without one"
                #expect(Self.count(line, in: server) == 1, "\(server.log)")
                #expect(try await Self.handshakes(server, trusting: certificate))
            }
        }

        @Test("At a SIGHUP, a configuration without TLS waits for a restart: nothing is served in the clear")
        func withoutTLS() async throws {
            let scenario = try Scenario(withBroughtSecrets: false)
            let (certificate, key) = (scenario.file("chain.pem"), scenario.file("key.pem"))
            try Self.write(TestCertificates.server, to: certificate, mode: 0o644)
            try Self.write(TestCertificates.key, to: key, mode: 0o600)
            let file = scenario.file("configuration.json5")
            try Self.write(
                "{ tls_certificate: '\(certificate)', tls_key: '\(key)', threads: 2 }", to: file, mode: 0o600)
            try await withServer(
                scenario, issuer: "https://localhost", arguments: ["--config", file]
            ) { server in
                try Self.write("{ threads: 3, max_failures: 7 }", to: file, mode: 0o600)
                server.signal(SIGHUP)
                try await Self.isReadAgain(server, times: 1)
                #expect(
                    server.log.contains("a restart is needed for --threads, --tls-certificate"),
                    "\(server.log)")
                #expect(try await Self.handshakes(server, trusting: certificate))
            }
        }

        @Test(
            "At a SIGHUP, a pipe that nobody writes into is given up, and the server ends when it is told to")
        func pipeWithoutWriter() async throws {
            try await Self.withTLS { server, certificate, key in
                #expect(unlink(key) == 0 && mkfifo(key, 0o600) == 0)
                server.signal(SIGHUP)
                try await eventually("it is said") {
                    server.log.contains(
                        "was not read again: the TLS key \(key) is a pipe that was not written and closed in time"
                    )
                }
                #expect(try await Self.handshakes(server, trusting: certificate))
            }
        }

        /// Runs a server with a pair of files that are in order.
        private static func withTLS(
            _ body: (_ server: ServerProcess, _ certificate: String, _ key: String) async throws -> Void
        ) async throws {
            let scenario = try Scenario(withBroughtSecrets: false)
            let (certificate, key) = (scenario.file("chain.pem"), scenario.file("key.pem"))
            try write(TestCertificates.server, to: certificate, mode: 0o644)
            try write(TestCertificates.key, to: key, mode: 0o600)
            try await withServer(
                scenario, issuer: "https://localhost",
                arguments: ["--tls-certificate", certificate, "--tls-key", key]
            ) { try await body($0, certificate, key) }
        }

        private static func write(_ text: String, to path: String, mode: Int) throws {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }

        private static func count(_ text: String, in server: ServerProcess) -> Int {
            server.log.split(separator: "\n").count { $0.contains(text) }
        }

        private static func isReadAgain(_ server: ServerProcess, times: Int) async throws {
            try await eventually("it is read again") { count("were read again", in: server) == times }
        }

        /// Whether the server ends TLS with this certificate, whose end counts for nothing here.
        private static func handshakes(_ server: ServerProcess, trusting certificate: String) async throws
            -> Bool
        {
            let client = try ChildProcess(
                [
                    "openssl", "s_client", "-connect", "127.0.0.1:\(server.port)", "-CAfile", certificate,
                    "-partial_chain", "-no_check_time", "-verify_return_error",
                ], logFile: certificate + ".client.log")
            return try await client.waitForExit() == 0
        }
    }
}
