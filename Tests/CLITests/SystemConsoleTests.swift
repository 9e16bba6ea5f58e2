import Glibc
import TestSupport
import Testing

@testable import AuthServer

/// Pipes that do not wait, as some programs hand them to those that they start.
@Suite("The console of the process")
struct SystemConsoleTests {
    private static func pipe() throws -> (output: Int32, input: Int32) {
        var ends: [Int32] = [0, 0]
        try #require(Glibc.pipe(&ends) == 0)
        for end in ends {
            try #require(fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) == 0)
            try #require(fcntl(end, F_SETFD, FD_CLOEXEC) == 0)
        }
        return (ends[0], ends[1])
    }

    @Test("What does not fit into a pipe yet is written when there is room")
    func slowReader() async throws {
        let (output, input) = try Self.pipe()
        defer { for end in [output, input] { close(end) } }
        let text = String(repeating: "0123456789", count: 20_000)
        async let isWritten = onThread { SystemConsole(output: input).write(text) }
        try await Task.sleep(for: .milliseconds(100))
        var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
        let end = ContinuousClock.now + .seconds(30)
        while bytes.count < text.utf8.count, ContinuousClock.now < end {
            let count = read(output, &buffer, buffer.count)
            if count > 0 { bytes += buffer.prefix(count) } else { await Task.yield() }
        }
        #expect(try await isWritten)
        #expect(bytes == Array(text.utf8))
    }

    @Test("Where nobody reads, what cannot be written is said at last")
    func nobodyReads() throws {
        let (output, input) = try Self.pipe()
        defer { for end in [output, input] { close(end) } }
        #expect(!SystemConsole(output: input, patience: 50).write(String(repeating: "x", count: 200_000)))
    }

    @Test("What comes later is read all the same")
    func slowWriter() async throws {
        let (output, input) = try Self.pipe()
        defer { close(output) }
        async let line = onThread { SystemConsole(input: output).readLine() }
        try await Task.sleep(for: .milliseconds(50))
        for part in ["a sec", "ret", "\n"] {
            _ = write(input, part, part.utf8.count)
            try await Task.sleep(for: .milliseconds(20))
        }
        close(input)
        #expect(try await line == Array("a secret".utf8))
    }
}
