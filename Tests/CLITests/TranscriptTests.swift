import Foundation
import TestSupport
import Testing

@Suite("Transcripts of the real program")
struct TranscriptTests {
    @Test("A session goes as it is written down", arguments: try TranscriptTests.names())
    func runs(name: String) async throws {
        let transcript = try Transcript(
            String(contentsOf: Self.folder().appending(path: name), encoding: .utf8))
        try #require(!transcript.steps.isEmpty)
        let session = try ShellSession()
        for step in transcript.steps {
            let outcome = try await session.run(step.command)
            let place = "\(name):\(step.line): $ \(step.command)"
            #expect(outcome.status == step.status, "\(place)\n\(outcome)")
            #expect(Transcript.matches(outcome.output, step.output), "\(place)\n\(outcome)")
            #expect(Transcript.matches(outcome.messages, step.messages), "\(place)\n\(outcome)")
        }
    }

    @Test("A transcript that does not match is noticed")
    func notices() {
        #expect(Transcript.matches(["a", "b c d", "e"], ["a", "b [...] d", "[...]"]))
        #expect(Transcript.matches([], ["[...]"]))
        #expect(!Transcript.matches(["a"], []))
        #expect(!Transcript.matches(["a", "b"], ["a"]))
        #expect(!Transcript.matches(["abc"], ["a[...]d"]))
        #expect(!Transcript.matches(["x", "y"], ["[...]", "x"]))
    }

    static func folder() throws -> URL {
        guard let folder = Bundle.module.url(forResource: "transcripts", withExtension: nil) else {
            throw TestFailure("the transcripts are not in the test bundle")
        }
        return folder
    }

    static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder().path(percentEncoded: false))
            .filter { $0.hasSuffix(".txt") }.sorted()
    }
}

/// A shell in a new directory, with the built program first on its path and nothing else of the caller's.
struct ShellSession {
    /// What a command printed, and how it ended.
    struct Outcome: CustomStringConvertible {
        let status: Int32
        let output: [String]
        let messages: [String]

        var description: String {
            (output + messages.map { "! \($0)" } + ["? \(status)"]).joined(separator: "\n")
        }
    }

    private let directory: TemporaryDirectory
    private let environment: [String: String]

    init() throws {
        directory = try TemporaryDirectory()
        let program = URL(filePath: try Product.path("authserver")).deletingLastPathComponent()
        environment = [
            "PATH": "\(program.path(percentEncoded: false)):/usr/local/bin:/usr/bin:/bin",
            "LC_ALL": "C.UTF-8",
            "HOME": directory.path,
        ]
        try FileManager.default.createDirectory(
            atPath: directory.file("work"), withIntermediateDirectories: false)
    }

    func run(_ command: String) async throws -> Outcome {
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
