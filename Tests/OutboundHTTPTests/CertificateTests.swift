import Foundation
import OutboundHTTP
import Testing

/// TLS with a server that nobody vouches for.
struct CertificateTests {
    @Test func `a server with a certificate that no authority signed gets no request`() async throws {
        let server = try TLSServer()
        defer { server.stop() }
        let http = OutboundHTTP(maximumBytes: 1000, maximumPending: 2)
        let url = try EndpointURL("https://localhost:\(server.port)/")
        let error = await #expect(throws: OutboundError.self) {
            try await http.send(.get(url), deadline: .seconds(10))
        }
        guard case .unreachable(let reason) = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(reason.lowercased().contains("certificate"), "\(reason)")
    }
}

/// `openssl s_server` with a certificate that it signed itself, on a free port.
private final class TLSServer {
    let port: Int
    private let process = Process()
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (key, certificate) = (folder.path + "/key.pem", folder.path + "/certificate.pem")
        let request = Process()
        request.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        request.arguments =
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-days", "2",
            ]
            + ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
            + ["-keyout", key, "-out", certificate]
        request.standardError = FileHandle.nullDevice
        try request.run()
        request.waitUntilExit()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = ["s_server", "-accept", "127.0.0.1:0", "-key", key, "-cert", certificate, "-www"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        port = try #require(Self.port(in: output.fileHandleForReading))
    }

    func stop() {
        // A child inherits the signals that the thread here blocks, SIGTERM among them.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The port from the line `ACCEPT 127.0.0.1:PORT`.
    private static func port(in output: FileHandle) -> Int? {
        var text = ""
        while !text.contains("ACCEPT") || !text.hasSuffix("\n") {
            let more = output.availableData
            guard !more.isEmpty else { return nil }
            text += String(decoding: more, as: UTF8.self)
        }
        let line = text.split(separator: "\n").first { $0.hasPrefix("ACCEPT") }
        return line?.split(separator: ":").last.flatMap { Int($0) }
    }
}
