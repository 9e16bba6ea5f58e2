import Foundation
import Glibc
import TestSupport
import Testing

@testable import OperatingSystem

@Suite("Small files")
struct SmallFileTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func file(of size: Int, mode: Int = 0o600) throws -> String {
        let path = folder.file("file")
        try #require(
            FileManager.default.createFile(
                atPath: path, contents: Data(repeating: 0xFF, count: size),
                attributes: [.posixPermissions: mode]))
        return path
    }

    @Test(
        "One that has as much as it may is read whole, and one with a byte more is not",
        arguments: [0, 1, 70000])
    func size(maximum: Int) throws {
        let path = try file(of: maximum)
        #expect(try SmallFile(path: path, maximumBytes: maximum).content.count == maximum)
        let larger = try file(of: maximum + 1)
        #expect(throws: SmallFile.Refusal.larger(than: maximum)) {
            try SmallFile(path: larger, maximumBytes: maximum)
        }
    }

    @Test("Who may read it", arguments: [(0o600, false, false), (0o640, true, false), (0o604, false, true)])
    func readers(mode: Int, group: Bool, all: Bool) throws {
        let read = try SmallFile(path: file(of: 3, mode: mode), maximumBytes: 3)
        #expect(read.isReadableByGroup == group && read.isReadableByAll == all)
    }

    @Test("What cannot be read says why")
    func refusals() throws {
        let path = try file(of: 1)
        for (path, refusal, text) in [
            (
                folder.file("none"), .system(SystemError(code: ENOENT)),
                "cannot be read: No such file or directory"
            ),
            (path + "/file", .system(SystemError(code: ENOTDIR)), "cannot be read: Not a directory"),
            ("/", .folder, "is a folder"),
            ("/dev/zero", .larger(than: 4096), "has more than 4 KiB: it is another file"),
        ] as [(String, SmallFile.Refusal, String)] {
            #expect(throws: refusal) { try SmallFile(path: path, maximumBytes: 4096) }
            #expect(refusal.description == text)
        }
    }

    @Test("A pipe is read until it is closed, in as many pieces as it comes in")
    func pipe() throws {
        let path = folder.file("pipe")
        try #require(mkfifo(path, 0o644) == 0)
        let writer = try ChildProcess(
            ["sh", "-c", "exec >\"$0\"; printf a; sleep 0.05; printf b", path], logFile: folder.file("log"))
        let read = try withExtendedLifetime(writer) { try SmallFile(path: path, maximumBytes: 10) }
        #expect(read.content == Array("ab".utf8))
        #expect(!read.isReadableByAll, "a pipe has no readers but the one that holds it")
    }

    @Test("A pipe that was written and closed before it is opened again by its name is read to its end")
    func closedBefore() throws {
        let path = folder.file("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let writer = open(path, O_WRONLY)
        #expect(write(writer, "ab", 2) == 2)
        close(writer)
        #expect(try SmallFile(path: path, maximumBytes: 10).content == Array("ab".utf8))
    }

    @Test("A pipe that nobody writes into, or closes, is given up", arguments: [false, true])
    func stuck(isOpen: Bool) throws {
        let path = folder.file("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let writer = isOpen ? open(path, O_RDWR) : -1
        defer { if isOpen { close(writer) } }
        if isOpen { #expect(write(writer, "a", 1) == 1) }
        #expect(throws: SmallFile.Refusal.unfinished) {
            try SmallFile(path: path, maximumBytes: 10, patience: .milliseconds(50))
        }
    }

    @Test(
        "Without patience a file is read as ever, and a pipe as far as it needs no wait",
        arguments: [3, 70000])
    func impatient(size: Int) throws {
        #expect(
            try SmallFile(path: file(of: size), maximumBytes: size, patience: .zero).content.count == size)
        let path = folder.file("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        #expect(throws: SmallFile.Refusal.unfinished) {
            try SmallFile(path: path, maximumBytes: 10, patience: .zero)
        }
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let writer = open(path, O_WRONLY)
        #expect(write(writer, "ab", 2) == 2)
        #expect(throws: SmallFile.Refusal.unfinished) {
            try SmallFile(path: path, maximumBytes: 10, patience: .zero)
        }
        #expect(write(writer, "cd", 2) == 2)
        close(writer)
        #expect(try SmallFile(path: path, maximumBytes: 10, patience: .zero).content == Array("cd".utf8))
    }
}
