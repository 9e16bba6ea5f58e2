import EventLoop
import HTTP

/// A server on a loop thread of its own, on a free port of loopback; ended by `stop()`.
struct RunningServer {
    let port: Int
    private let running: EventLoop.Running
    private let server: LoopBound<HTTPServer>

    init(
        _ configuration: HTTPServerConfiguration = .init(),
        handler: @escaping HTTPServer.Handler = { .text(200, "\($0.method) \($0.path) \($0.body.count)") },
        refusal: @escaping @Sendable (HTTPRefusal) -> HTTPResponse = { $0.plainAnswer },
        turnedAway: @escaping @Sendable (HTTPTurnedAway) -> Void = { _ in }
    ) throws {
        let socket = try ListeningSocket.open(host: "127.0.0.1", port: 0, count: 1)[0]
        port = socket.port
        running = try EventLoop.start(name: "http-test")
        let loop = running.loop
        server = try blocking(on: loop) {
            let server = try HTTPServer(
                loop: loop, configuration: configuration, refusal: refusal, turnedAway: turnedAway,
                handler: handler)
            server.serve(socket)
            return LoopBound(server, loop: loop)
        }
    }

    func stop(seconds: Int = 1, idleSeconds: Int? = nil) async {
        let server = server
        await Task(executorPreference: running.loop) {
            await server.value.drain(seconds: seconds, idleSeconds: idleSeconds)
        }.value
        running.loop.stop()
        running.join()
    }

    func connectionCount() async -> Int {
        let server = server
        return await Task(executorPreference: running.loop) { server.value.connectionCount }.value
    }
}
