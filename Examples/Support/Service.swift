public import EventLoop
internal import Foundation
public import HTTP

/// The process of an example service: its command line, and one thread that serves until it is told to stop.
public struct Service: Sendable {
    /// What a service is made from.
    public struct Start {
        /// The command line.
        public let flags: Flags
        /// The environment: where secrets come from, because others can see a command line.
        public let environment: [String: String]
        /// Where the service listens.
        public let listen: ListenAddress
        /// The loop that runs the handler.
        public let loop: EventLoop
    }

    private let name: String
    private let usage: String
    private let flags: Set<String>

    /// A service by its name, its usage text and its flags beside `--help`.
    public init(_ name: String, usage: String, flags: Set<String>) {
        self.name = name
        self.usage = usage
        self.flags = flags
    }

    /// Runs until SIGTERM or SIGINT; `make` gives what answers the requests.
    public func run(
        defaultListen: String, _ make: (Start) throws -> HTTPServer.Handler
    ) -> Never {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.contains("--help") || arguments.contains("-h") {
            print(usage)
            exit(0)
        }
        do {
            let flags = try Flags(arguments, known: flags)
            let listen = try ListenAddress(flags["--listen"] ?? defaultListen)
            let start = Start(
                flags: flags, environment: ProcessInfo.processInfo.environment, listen: listen,
                loop: try EventLoop())
            try serve(start, handler: try make(start))
            exit(0)
        } catch let error as UsageError {
            log("\(name): \(error); see \(name) --help")
            exit(2)
        } catch {
            log("\(name): \(error)")
            exit(1)
        }
    }

    private func serve(_ start: Start, handler: @escaping HTTPServer.Handler) throws {
        signal(SIGPIPE, SIG_IGN)
        let loop = start.loop
        let sockets = try ListeningSocket.open(host: start.listen.host, port: start.listen.port, count: 1)
        let server = try HTTPServer(loop: loop, handler: handler)
        server.serve(sockets[0])
        let bound = LoopBound(server, loop: loop)
        let watches = [SIGTERM, SIGINT].map { number in
            SignalWatch(loop: loop, signal: number) {
                Task(executorPreference: loop) {
                    await bound.value.drain(seconds: 5)
                    loop.stop()
                }
            }
        }
        log("\(name): listening on http://\(start.listen)")
        withExtendedLifetime(watches) { loop.run() }
        log("\(name): stopped")
    }
}
