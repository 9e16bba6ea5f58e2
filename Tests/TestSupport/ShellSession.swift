internal import Foundation

/// A shell in a new directory, with the built program first on its path and nothing else of the caller's.
public struct ShellSession: Sendable {
    /// What a command printed, and how it ended.
    public struct Outcome: Sendable, CustomStringConvertible {
        /// The exit status.
        public let status: Int32
        /// The lines of standard output.
        public let output: [String]
        /// The lines of standard error.
        public let messages: [String]

        /// All of it, as a transcript has it.
        public var description: String {
            (output + messages.map { "! \($0)" } + ["? \(status)"]).joined(separator: "\n")
        }
    }

    private let directory: TemporaryDirectory
    private let environment: [String: String]

    /// A session.
    /// - Parameter variables: more of the environment.
    public init(_ variables: [String: String] = [:]) throws {
        directory = try TemporaryDirectory()
        let program = URL(filePath: try Product.path("authserver")).deletingLastPathComponent()
        let own = [
            "PATH": "\(program.path(percentEncoded: false)):/usr/local/bin:/usr/bin:/bin",
            "LC_ALL": "C.UTF-8",
            "HOME": directory.path,
        ]
        // A sanitizer that is linked into the program is told what it may not report.
        let sanitizers = ProcessInfo.processInfo.environment.filter { $0.key.hasSuffix("SAN_OPTIONS") }
        environment = own.merging(sanitizers) { $1 }.merging(variables) { $1 }
        try FileManager.default.createDirectory(
            atPath: directory.file("work"), withIntermediateDirectories: false)
    }

    /// Runs a command and waits for its end.
    public func run(_ command: String) async throws -> Outcome {
        let script = "cd '\(directory.file("work"))' && { \(command)\n} >../output 2>../messages"
        let process = try ChildProcess(
            ["/bin/sh", "-c", script], environment: environment, logFile: directory.file("log"))
        let status = try await process.waitForExit(within: .seconds(30))
        return Outcome(status: status, output: try lines("output"), messages: try lines("messages"))
    }

    private func lines(_ name: String) throws -> [String] {
        let text = try String(contentsOfFile: directory.file(name), encoding: .utf8)
        return text.isEmpty
            ? [] : (text.hasSuffix("\n") ? String(text.dropLast()) : text).components(separatedBy: "\n")
    }
}
