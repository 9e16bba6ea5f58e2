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
