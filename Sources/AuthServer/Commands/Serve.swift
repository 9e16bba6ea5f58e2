import AuthStore
import EventLoop
import Glibc
import HTTP

/// The running server.
enum Serve {
    /// What the process is told from outside.
    private enum Signal: Sendable { case terminate, reread }

    /// Serves until it is told to stop.
    /// - Parameters:
    ///   - configuration: what it is told to do.
    ///   - reread: reads the configuration again, for SIGHUP; throws what is wrong with it.
    static func run(
        _ configuration: ServerConfiguration,
        reread: @escaping @Sendable () throws(CommandError) -> ServerConfiguration
    ) async throws(CommandError) -> ExitCode {
        signal(SIGPIPE, SIG_IGN)
        let server = try await RunningServer.start(configuration)
        let (signals, continuation) = AsyncStream.makeStream(
            of: Signal.self, bufferingPolicy: .bufferingNewest(8))
        await server.watch([SIGTERM, SIGINT]) { continuation.yield(.terminate) }
        await server.watch([SIGHUP]) { continuation.yield(.reread) }
        loop: for await signal in signals {
            switch signal {
            case .terminate: break loop
            case .reread: await server.apply(reread)
            }
        }
        await server.stop(seconds: 10)
        return .ok
    }
}
