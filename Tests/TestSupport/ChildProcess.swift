internal import Foundation
public import Glibc
internal import Synchronization

/// A process that a test started: ended with SIGKILL, by its id, when the last reference goes.
public final class ChildProcess: Sendable {
    /// Its process id.
    public let identifier: pid_t
    /// The file that its output and its error output go to.
    public let logFile: String
    private let exitStatus = Mutex<Int32?>(nil)

    /// Starts a program, found on the `PATH` when its name has no slash.
    /// - Parameters:
    ///   - arguments: the program's name and its arguments.
    ///   - environment: the whole environment; nil for that of the test.
    ///   - logFile: where its output goes.
    public init(
        _ arguments: [String], environment: [String: String]? = nil, logFile: String
    ) throws(TestFailure) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, logFile, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // Descriptors of other tests must not live on in it: their peers would never see them closed.
        for descriptor in openDescriptors() where descriptor > 2 {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        // The threads of the tests' pool block signals, and a child would inherit that: SIGTERM would not end it.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let variables = environment ?? ProcessInfo.processInfo.environment
        var process = pid_t()
        let program = arguments.first ?? ""
        let status = withCStrings(arguments) { arguments in
            withCStrings(variables.map { "\($0.key)=\($0.value)" }) { variables in
                posix_spawnp(&process, program, &actions, &attributes, arguments, variables)
            }
        }
        guard status == 0 else {
            throw TestFailure("\(program) does not start: \(String(cString: strerror(status)))")
        }
        identifier = process
        self.logFile = logFile
    }

    deinit {
        guard poll() == nil else { return }
        kill(identifier, SIGKILL)
        waitpid(identifier, nil, 0)
    }

    /// What it has written so far.
    public var log: String { (try? String(contentsOfFile: logFile, encoding: .utf8)) ?? "" }

    /// Sends a signal, unless it has ended.
    public func signal(_ number: Int32) {
        guard poll() == nil else { return }
        kill(identifier, number)
    }

    /// How it ended: its exit code, or 128 and the signal; nil while it runs.
    public func poll() -> Int32? {
        exitStatus.withLock { known in
            if known == nil {
                var status: Int32 = 0
                if waitpid(identifier, &status, WNOHANG) == identifier {
                    known = status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
                }
            }
            return known
        }
    }

    /// Waits until it has ended.
    /// - Returns: its exit code, or 128 and the signal that ended it.
    @discardableResult
    public func waitForExit(within limit: Duration = .seconds(30)) async throws -> Int32 {
        try await eventually("the end of process \(identifier)", within: limit) { poll() != nil }
        return poll() ?? -1
    }
}

/// Calls `body` with the NULL-terminated vector of C strings that `execve` takes.
private func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
}

private func openDescriptors() -> [Int32] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    return (names ?? []).compactMap { Int32($0) }
}
