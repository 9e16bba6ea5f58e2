import EventLoop
import HTTP

/// `GET /metrics` on an address of its own, by a thread of its own: who asks holds up nobody who wants a token.
final class MetricsListener: Sendable {
    private let running: EventLoop.Running
    private let server: LoopBound<HTTPServer>
    /// Where it listens.
    let address: ListenAddress

    private init(running: EventLoop.Running, server: LoopBound<HTTPServer>, address: ListenAddress) {
        self.running = running
        self.server = server
        self.address = address
    }

    /// Starts to answer.
    /// - Parameter read: reads the meters; called on the listener's thread.
    static func start(
        _ socket: ListeningSocket, host: String, read: @escaping @Sendable () -> MetricsReading
    ) async throws(CommandError) -> MetricsListener {
        let running: EventLoop.Running
        do { running = try EventLoop.start(name: "metrics") } catch {
            throw CommandError(.failed, error.description)
        }
        let loop = running.loop
        let made = await Task(executorPreference: loop) { () -> Result<LoopBound<HTTPServer>, HTTPError> in
            Result { () throws(HTTPError) in
                let server = try HTTPServer(loop: loop, configuration: limits) { respond(to: $0, read) }
                server.serve(socket)
                return LoopBound(server, loop: loop)
            }
        }.value
        do throws(HTTPError) {
            return MetricsListener(
                running: running, server: try made.get(),
                address: ListenAddress(host: host, port: UInt16(clamping: socket.port)))
        } catch {
            running.loop.stop()
            running.join()
            throw CommandError(.failed, error.description)
        }
    }

    /// Ends, with whatever is being answered.
    func stop() async {
        let server = server
        await Task(executorPreference: running.loop) { await server.value.drain(seconds: 1) }.value
        running.loop.stop()
        running.join()
    }

    /// A few who ask, and who ask for little.
    private static var limits: HTTPServerConfiguration {
        var limits = HTTPServerConfiguration()
        limits.maximumBodyBytes = 1024
        limits.requestDeadlineSeconds = 5
        limits.maximumConnections = 64
        limits.maximumConnectionsPerAddress = 32
        return limits
    }

    /// Answers a request.
    /// - Parameter read: reads the meters.
    static func respond(to request: HTTPRequest, _ read: () -> MetricsReading) -> HTTPResponse {
        guard request.path == "/metrics" else {
            return .text(404, "there is nothing at this path: metrics are at /metrics")
        }
        guard ["GET", "HEAD"].contains(request.method) else {
            return .text(405, "metrics take GET, HEAD alone", fields: [HTTPField("Allow", "GET, HEAD")])
        }
        return HTTPResponse(
            status: 200,
            fields: [
                HTTPField("Content-Type", MetricsText.contentType), HTTPField("Cache-Control", "no-store"),
            ],
            body: Array(MetricsPage.text(of: read()).utf8))
    }
}
