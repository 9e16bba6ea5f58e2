import AuthStore
import EventLoop
import Glibc
import HTTP
import Synchronization

/// The running server.
enum Serve {
    /// Whether the process was told to end: said once, by a loop that watches or by the signal's own handler, it is
    /// not lost among other signals.
    private static let mustEnd = Atomic<Bool>(false)
    /// Whether a SIGHUP came before the loop watched.
    private static let mustReread = Atomic<Bool>(false)

    /// Serves until it is told to stop.
    /// - Parameters:
    ///   - configuration: what it is told to do.
    ///   - reread: reads the configuration again, for SIGHUP; throws what is wrong with it.
    static func run(
        _ configuration: ServerConfiguration,
        reread: @escaping @Sendable () throws(CommandError) -> ServerConfiguration
    ) async throws(CommandError) -> ExitCode {
        keepRereading()
        let rereading = try Rereading()
        // SIGTERM and SIGINT end a start at once: until somebody is served there is nothing to finish.
        let server = try await RunningServer.start(configuration, willServe: deferEnd)
        let (ends, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await server.watch([SIGTERM, SIGINT]) {
            mustEnd.store(true, ordering: .releasing)
            continuation.yield()
        }
        await server.watch([SIGHUP]) { rereading.request() }
        if mustReread.load(ordering: .acquiring) { rereading.request() }
        if mustEnd.load(ordering: .acquiring) { continuation.yield() }
        await server.announce()
        rereading.start { await server.apply(reread) }
        for await _ in ends { break }
        rereading.refuse()
        await server.stop(seconds: 10)
        // Who still waits for a file or a lock is not waited for, and nothing is taken down under its feet.
        guard rereading.end() else { _exit(ExitCode.ok.rawValue) }
        return .ok
    }

    /// Keeps a SIGHUP for when the server serves. To be called first of all: until then it ends the process.
    static func keepRereading() {
        signal(SIGHUP) { _ in Serve.mustReread.store(true, ordering: .releasing) }
    }

    /// What is in force until the loop watches, and again when it ends: nothing is lost, and a second signal while
    /// requests finish ends nothing early.
    private static func deferEnd() {
        mustEnd.store(false, ordering: .releasing)
        for number in [SIGTERM, SIGINT] {
            signal(number) { _ in Serve.mustEnd.store(true, ordering: .releasing) }
        }
    }
}
