public import Glibc
internal import Synchronization

/// A real redis-server of a test's own, on a free port of 127.0.0.1 and on a Unix socket, in a directory that
/// is removed; ended when the last reference goes.
public final class RedisServer: Sendable {
    /// How it is set up.
    public struct Options: Sendable {
        /// The password of the default user.
        public var password: String?
        /// Lines of `ACL SETUSER`, such as `"alice on >secret ~* +@all"`.
        public var users: [String] = []
        /// Whether it keeps what it was told over a restart.
        public var appendOnly = false
        /// More of its options, such as `["--maxmemory", "1mb"]`.
        public var arguments: [String] = []

        /// No password, no users, nothing kept.
        public init() {}
    }

    /// The port, also after a restart.
    public let port: UInt16
    private let options: Options
    private let directory: TemporaryDirectory
    private let process: Mutex<ChildProcess>

    /// Starts a server and waits until it accepts connections.
    /// - Throws: `TestFailure`; where redis-server is missing it says how to install it.
    public static func start(_ options: Options = Options()) async throws -> RedisServer {
        // The free port may be taken by another test's process before the server has it: then the next one.
        for _ in 0..<5 {
            if let server = try await attempt(options) { return server }
        }
        throw TestFailure("redis-server finds no free port")
    }

    private static func attempt(_ options: Options) async throws -> RedisServer? {
        let directory = try TemporaryDirectory()
        let port = try freePort()
        let process = try launch(options, port: port, directory: directory)
        guard try await hasStarted(process) else {
            if process.log.contains("Address already in use") { return nil }
            throw TestFailure("redis-server does not start:\n\(process.log)")
        }
        return RedisServer(options: options, port: port, directory: directory, process: process)
    }

    private init(options: Options, port: UInt16, directory: TemporaryDirectory, process: ChildProcess) {
        self.options = options
        self.port = port
        self.directory = directory
        self.process = Mutex(process)
    }

    /// `redis://127.0.0.1:PORT`, with the password of the default user where there is one.
    public var url: String {
        let authority = options.password.map { ":\($0)@" } ?? ""
        return "redis://\(authority)127.0.0.1:\(port)"
    }

    /// The path of its Unix socket.
    public var socketPath: String { directory.file("redis.sock") }

    /// The id of its process, another one after a restart.
    public var processIdentifier: pid_t { process.withLock { $0 }.identifier }

    /// What it has logged since it was started last.
    public var log: String { process.withLock { $0 }.log }

    /// Ends it in good order (SIGTERM) and waits for that.
    public func stop() async throws {
        let process = process.withLock { $0 }
        process.signal(SIGTERM)
        try await process.waitForExit()
    }

    /// Ends it at once (SIGKILL) and waits for that.
    public func kill() async throws {
        let process = process.withLock { $0 }
        process.signal(SIGKILL)
        try await process.waitForExit()
    }

    /// Makes it hang (SIGSTOP): its connections stay open, nothing is answered.
    public func suspend() { process.withLock { $0 }.signal(SIGSTOP) }

    /// Lets it go on (SIGCONT).
    public func resume() { process.withLock { $0 }.signal(SIGCONT) }

    /// Sends it one command over its Unix socket, as `redis-cli` does.
    /// - Returns: the reply as `redis-cli` prints it, without the line end.
    @discardableResult
    public func command(_ command: String) async throws -> String {
        let words = command.split(separator: " ").map(String.init)
        let password = options.password.map { ["-a", $0, "--no-auth-warning"] } ?? []
        let output = directory.file("reply-\(UInt64.random(in: .min ... .max))")
        let client = try ChildProcess(
            ["redis-cli", "-s", socketPath] + password + words, logFile: output)
        try await client.waitForExit()
        defer { unlink(output) }
        return String(client.log.drop { $0.isNewline }.reversed().drop { $0.isNewline }.reversed())
    }

    /// Starts it again on the same port, after `stop` or `kill`, and waits until it accepts connections.
    public func restart() async throws {
        let next = try Self.launch(options, port: port, directory: directory)
        guard try await Self.hasStarted(next) else {
            throw TestFailure("redis-server does not start again:\n\(next.log)")
        }
        process.withLock { $0 = next }
    }

    private static func launch(
        _ options: Options, port: UInt16, directory: TemporaryDirectory
    ) throws -> ChildProcess {
        var arguments = [
            "redis-server", "--port", "\(port)", "--bind", "127.0.0.1", "--dir", directory.path,
            "--unixsocket", directory.file("redis.sock"), "--save", "",
            "--appendonly", options.appendOnly ? "yes" : "no",
        ]
        if let password = options.password { arguments += ["--requirepass", password] }
        for user in options.users { arguments += ["--user"] + user.split(separator: " ").map(String.init) }
        let log = directory.file("redis.log")
        unlink(log)
        do {
            return try ChildProcess(arguments + options.arguments, logFile: log)
        } catch {
            throw TestFailure("\(error.description); it is needed here: apt-get install redis-server")
        }
    }

    private static func hasStarted(_ process: ChildProcess) async throws -> Bool {
        // Long, since all tests of a run may start at once.
        try await eventually("redis-server is ready", within: .seconds(60)) {
            process.poll() != nil || process.log.contains("eady to accept connections")
        }
        return process.poll() == nil
    }
}
