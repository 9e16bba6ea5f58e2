import Foundation
import Glibc
import HTTP
import SQLite
import ServerCases
import Testing
import TestSupport

extension RealProcess {
    @Suite("A start that takes its time")
    struct StartTests {
        @Test("What connects while the database is still being made waits, and is served")
        func connectedEarly() async throws {
            let start = try await SlowStart()
            let port = start.port
            async let response = Wire.exchange(
                HTTPRequest(method: "GET", path: "/.well-known/jwks.json"), port: port)
            try await Task.sleep(for: .milliseconds(300))
            #expect(!start.server.log.contains("listening on"), "\(start.server.log)")
            try start.goOn()
            #expect(try await response.status == 200)
            try await start.end()
        }

        @Test("A SIGHUP while the server starts does not end it, and is carried out when it serves")
        func rereadEarly() async throws {
            let start = try await SlowStart()
            start.server.signal(SIGHUP)
            try await Task.sleep(for: .milliseconds(100))
            #expect(start.server.poll() == nil, "\(start.server.log)")
            try start.goOn()
            try await start.isReady()
            try await eventually("the configuration is read again") {
                start.server.log.contains("keys and configuration were read again")
            }
            try await start.end()
        }

        @Test("Where standard descriptors are closed nothing else takes their places, to be logged into")
        func closedDescriptors() async throws {
            let scenario = try Scenario(withBroughtSecrets: false)
            let port = try freePort()
            let server = try ChildProcess(
                [
                    "sh", "-c", #"exec "$0" "$@" 0<&- 1>&- 2>&-"#, try Product.path("authserver"), "serve",
                    "--listen", "127.0.0.1:\(port)", "--database", scenario.database,
                ], logFile: scenario.file("log"))
            try await eventually("the server listens") { server.poll() != nil || isListening(on: port) }
            let request = HTTPRequest(method: "GET", path: "/nowhere")
            #expect(try await Wire.exchange(request, port: Int(port)).status == 404)
            for descriptor in 0...2 {
                let link = "/proc/\(server.identifier)/fd/\(descriptor)"
                #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "/dev/null")
            }
            server.signal(SIGTERM)
            #expect(try await server.waitForExit() == 0)
        }

        @Test("A SIGTERM while the server starts ends it at once")
        func endEarly() async throws {
            let start = try await SlowStart()
            start.server.signal(SIGTERM)
            try await eventually("the server ends") { start.server.poll() != nil }
            #expect(!start.server.log.contains("listening on"), "\(start.server.log)")
        }

        @Test(
            "TLS files are read once: what was checked is what is served",
            .enabled(if: access("/usr/bin/openssl", X_OK) == 0, "no openssl to make a certificate"))
        func tlsFilesThatChange() async throws {
            let folder = try TemporaryDirectory()
            let (certificate, key) = (folder.file("chain.pem"), folder.file("key.pem"))
            let openSSL = try ChildProcess(
                [
                    "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                    "-nodes", "-days", "2", "-subj", "/CN=localhost", "-keyout", key, "-out", certificate,
                ], logFile: folder.file("log"))
            #expect(try await openSSL.waitForExit() == 0, "\(openSSL.log)")
            let kept = folder.file("kept.pem")
            try FileManager.default.copyItem(atPath: certificate, toPath: kept)

            let start = try await SlowStart(["--tls-certificate", certificate, "--tls-key", key])
            for file in [certificate, key] { try FileManager.default.removeItem(atPath: file) }
            try start.goOn()
            try await start.isReady()
            let client = try ChildProcess(
                [
                    "openssl", "s_client", "-connect", "127.0.0.1:\(start.port)", "-CAfile", kept,
                    "-verify_return_error",
                ], logFile: folder.file("client.log"))
            #expect(try await client.waitForExit() == 0, "\(client.log)\n\(start.server.log)")
            try await start.end()
        }
    }
}

/// A server that listens and cannot make its database yet.
private struct SlowStart {
    let port: Int
    let server: ChildProcess
    private let scenario: Scenario
    private let lock: Connection

    init(_ arguments: [String] = []) async throws {
        scenario = try Scenario(withBroughtSecrets: false)
        let file = scenario.file("new.db")
        // Whoever has a new file for itself keeps the server from making it a database.
        lock = try Connection(path: file, mode: .create)
        try lock.execute("BEGIN EXCLUSIVE")
        let port = try freePort()
        let server = try ServerProcess.launch(
            ["--listen", "127.0.0.1:\(port)", "--database", file] + arguments, directory: scenario)
        try await eventually("the server listens") { server.poll() != nil || isListening(on: port) }
        self.port = Int(port)
        self.server = server
    }

    /// Lets the server make its database.
    func goOn() throws { try lock.execute("ROLLBACK") }

    /// Waits until the server says that it is ready.
    func isReady() async throws {
        try await eventually("the server serves") {
            server.poll() != nil || server.log.contains("listening on")
        }
    }

    /// Ends the server in good order, once it is ready for signals.
    func end() async throws {
        try await isReady()
        server.signal(SIGTERM)
        #expect(try await server.waitForExit() == 0, "\(server.log)")
    }
}
