import AuthStore
import EventLoop
import Glibc
import HTTP
import Synchronization

/// The running server.
enum Serve {
    /// Set by the signal's handler while no loop watches for it.
    private static let wasToldToEnd = Atomic<Bool>(false)

    /// Whether the process was told to end: said once, it is not lost among other signals.
    private final class Sticky: Sendable {
        private let flag = Atomic<Bool>(false)
        var isSet: Bool { flag.load(ordering: .acquiring) }
        func set() { flag.store(true, ordering: .releasing) }
    }

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
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let isEnding = Sticky()
        // What is in force until the loop watches, and again when it ends: nothing is lost, and a second signal
        // while requests finish ends nothing early.
        Self.wasToldToEnd.store(false, ordering: .releasing)
        for number in [SIGTERM, SIGINT] {
            signal(number) { _ in Serve.wasToldToEnd.store(true, ordering: .releasing) }
        }
        signal(SIGHUP, SIG_IGN)
        await server.watch([SIGTERM, SIGINT]) {
            isEnding.set()
            continuation.yield()
        }
        await server.watch([SIGHUP]) { continuation.yield() }
        if Self.wasToldToEnd.load(ordering: .acquiring) {
            isEnding.set()
            continuation.yield()
        }
        await server.announce()
        for await _ in signals {
            if isEnding.isSet { break }
            await server.apply(reread)
            if isEnding.isSet { break }
        }
        await server.stop(seconds: 10)
        return .ok
    }
}
