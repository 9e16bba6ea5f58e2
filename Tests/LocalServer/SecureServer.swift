internal import EventLoop
internal import HTTP
internal import Synchronization
public import TestSupport

/// An https server on a free port of the loopback interface: it answers by path, with JSON, and keeps connections.
public final class SecureServer: Sendable {
    /// The port.
    public let port: Int
    private let paths: Paths

    private final class Paths: Sendable {
        let all = Mutex<[String]>([])
    }

    private init(port: Int, paths: Paths) {
        self.port = port
        self.paths = paths
    }

    /// `https://localhost:PORT`.
    public var url: String { "https://localhost:\(port)" }

    /// The paths that were asked for up to now.
    public var requests: [String] { paths.all.withLock { $0 } }

    /// Serves while `body` runs.
    /// - Parameters:
    ///   - identity: the certificate and the key that the server shows.
    ///   - answer: the JSON text for a path, where `URL` stands for the server's.
    public static func serve(
        as identity: TestAuthority.Identity, answer: @escaping @Sendable (String) -> String = { _ in "{}" },
        _ body: (SecureServer) async throws -> Void
    ) async throws {
        let socket = try ListeningSocket.open(host: "127.0.0.1", port: 0, count: 1)[0]
        let paths = Paths()
        let secure = SecureServer(port: socket.port, paths: paths)
        var configuration = HTTPServerConfiguration()
        configuration.tls = TLSIdentity(certificatePEM: identity.certificate, keyPEM: identity.key)
        let running = try EventLoop.start(name: "https-test")
        let (loop, settings, url) = (running.loop, configuration, secure.url)
        let server = try await Task(executorPreference: loop) {
            let server = try HTTPServer(loop: loop, configuration: settings) { request in
                paths.all.withLock { $0.append(request.path) }
                return HTTPResponse(
                    status: 200, fields: [HTTPField("Content-Type", "application/json")],
                    body: Array(answer(request.path).replacing("URL", with: url).utf8))
            }
            server.serve(socket)
            return LoopBound(server, loop: loop)
        }.value
        let result: Result<Void, any Error>
        do { result = .success(try await body(secure)) } catch { result = .failure(error) }
        await Task(executorPreference: loop) { await server.value.drain(seconds: 1) }.value
        loop.stop()
        running.join()
        try result.get()
    }
}
