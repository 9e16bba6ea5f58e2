import Foundation
import Glibc
import JOSE
import TestSupport
import Testing

@testable import AuthServer

@Suite("The writer of the log")
struct LogWriterTests {
    /// More than it keeps, written before anybody reads.
    private static let total: Int64 = 20_050

    @Test(
        "Of lines that are not read in time each is there, whole, or counted in a line like the others",
        arguments: [true, false])
    func slowReader(waits: Bool) async throws {
        let pipe = try Pipe(waits: waits)
        let writer = try LogWriter(format: .json, descriptor: pipe.input)
        var (next, batch): (Int64, Int64) = (0, 1)
        while next < Self.total {
            let numbers = next..<min(next + batch, Self.total)
            writer.write(numbers.flatMap(Self.line))
            (next, batch) = (numbers.upperBound, batch % 90 + 1)
        }
        let text = try await onThread { pipe.read { Self.isComplete($0) } }
        let lines = try Self.objects(text)
        let numbers = lines.compactMap { $0["number"]?.number }
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
        let dropped = lines.compactMap(Self.dropped).reduce(0, +)
        #expect(dropped > 0 && Int64(numbers.count) + dropped == Self.total, "\(numbers.count), \(dropped)")
        #expect(lines.allSatisfy { $0["number"] != nil || $0["time"] != nil })
    }

    @Test("A line that was begun when its reader went is finished for the next, and what was lost is told")
    func otherReader() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("fifo")
        try #require(mkfifo(path, 0o600) == 0)
        let first = Glibc.open(path, O_RDONLY | O_NONBLOCK)
        let input = Glibc.open(path, O_WRONLY | O_NONBLOCK)
        defer { Glibc.close(input) }
        let writer = try LogWriter(format: .json, descriptor: input)
        writer.write((0..<1000).flatMap(Self.line))
        try await Task.sleep(for: .milliseconds(100))
        Glibc.close(first)
        try await Task.sleep(for: .milliseconds(100))
        let second = Pipe(output: Glibc.open(path, O_RDONLY | O_NONBLOCK))
        writer.write(Self.line(1000))
        let text = try await onThread { second.read { Self.isComplete($0, total: 1001) } }
        let lines = try Self.objects(text)
        let numbers = lines.compactMap { $0["number"]?.number }
        #expect(numbers.last == 1000 && numbers.dropLast().elementsEqual(0..<Int64(numbers.count - 1)))
        #expect(lines.compactMap(Self.dropped) == [1001 - Int64(numbers.count)])
    }

    // MARK: -

    private static func line(_ number: Int64) -> [UInt8] {
        Array(#"{"number":\#(number),"filling":"\#(String(repeating: "x", count: 80))"}"#.utf8) + [0x0A]
    }

    private static func objects(_ text: [UInt8]) throws -> [JSONObject] {
        try text.split(separator: 0x0A).map { try #require(try? JSON.parse(Array($0)).object) }
    }

    /// How many lines a notice says were dropped.
    private static func dropped(_ line: JSONObject) -> Int64? {
        let words = line["event"]?.string?.split(separator: " ", maxSplits: 1)
        return words?.last?.hasPrefix("log lines were dropped") == true
            ? words?.first.flatMap { Int64($0) } : nil
    }

    private static func isComplete(_ text: [UInt8], total: Int64 = total) -> Bool {
        guard text.last == 0x0A, text.suffix(200).firstRange(of: Array("dropped".utf8)) != nil,
            let lines = try? objects(text)
        else { return false }
        return Int64(lines.count { $0["number"] != nil }) + lines.compactMap(dropped).reduce(0, +) >= total
    }
}

extension JSONValue {
    fileprivate var number: Int64? { if case .integer(let number) = self { number } else { nil } }
}

/// A pipe, which holds less than the writer keeps.
private final class Pipe: Sendable {
    let input: Int32
    private let output: Int32

    init(waits: Bool) throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        if !waits { _ = fcntl(ends[1], F_SETFL, O_NONBLOCK) }
        (output, input) = (ends[0], ends[1])
    }

    init(output: Int32) { (self.output, input) = (output, -1) }

    deinit {
        close(output)
        if input >= 0 { close(input) }
    }

    /// Reads in small pieces until all is there, or nothing comes for 5 s.
    func read(until isComplete: ([UInt8]) -> Bool) -> [UInt8] {
        var text: [UInt8] = []
        while !isComplete(text) {
            var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 5000) == 1 else { break }
            var piece = [UInt8](repeating: 0, count: 3000)
            let count = Glibc.read(output, &piece, piece.count)
            guard count > 0 else { break }
            text += piece[..<count]
        }
        return text
    }
}
