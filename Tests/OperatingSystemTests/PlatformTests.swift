import Foundation
import Glibc
import TestSupport
import Testing

@testable import OperatingSystem

@Suite("What the system tells")
struct PlatformTests {
    @Test(
        "Moments are written in UTC",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
            (2_147_483_648, "2038-01-19T03:14:08Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
        ] as [(Int64, String)])
    func moments(seconds: Int64, text: String) {
        #expect(UniversalTime.text(seconds) == text)
    }

    @Test("Moments and days are read as they are written")
    func readMoments() {
        for seconds in [0, 951_782_400, 1_709_210_096, 2_147_483_648, 253_402_300_799] as [Int64] {
            #expect(UniversalTime.seconds(UniversalTime.text(seconds)) == seconds)
        }
        #expect(UniversalTime.seconds("2024-02-29") == 1_709_164_800)
    }

    @Test(
        "What is no moment is not read",
        arguments: [
            "", "2026", "2026-02-29", "2026-13-01", "2026-01-31T24:00:00Z", "2026-01-31T12:00:60Z",
            "2026-01-31T12:00:00", "2026-01-31 12:00:00Z", "2026-01-31T12:00:00+00:00", "26-01-31",
            "２026-01-31",
            "+026-01-31",
        ])
    func noMoments(text: String) {
        #expect(UniversalTime.seconds(text) == nil)
    }

    @Test("A moment that no calendar has is written in seconds", arguments: [Int64.max, .min])
    func noMoment(seconds: Int64) {
        #expect(UniversalTime.text(seconds) == "\(seconds) s")
    }

    @Test("The environment is what the process has")
    func environment() {
        let environment = Environment.read()
        #expect(environment.variables == ProcessInfo.processInfo.environment && environment.unreadable == [])
        #expect(environment.variables["PATH"] != nil)
    }

    @Test(
        "Variables are taken apart at the first sign of equality; what has a name or a value that is no text is told apart",
        arguments: [
            (["A=b=c"], ["A": "b=c"], []), (["EMPTY="], ["EMPTY": ""], []), (["A=1", "A=2"], ["A": "1"], []),
            (["=A=b", "none", ""], [:], []), (["A=\u{E9}\n"], ["A": "\u{E9}\n"], []),
            (["\u{212A}EY=1", "KEY=2"], ["KEY": "2"], ["\u{212A}EY"]), (["A\u{301}=1"], [:], ["A\u{301}"]),
        ])
    func variables(entries: [String], variables: [String: String], unreadable: [String]) {
        var environment = Environment()
        for entry in entries { environment.add(entry.utf8.map(CChar.init(bitPattern:))) }
        #expect(environment.variables == variables)
        #expect(environment.unreadable.map { Array($0.utf8) } == unreadable.map { Array($0.utf8) })
    }

    @Test("A value that is no UTF-8 is none, and its name is kept")
    func notUTF8() {
        var environment = Environment()
        environment.add([65, 61, -23])
        #expect(environment.variables == [:] && environment.unreadable == ["A"])
    }

    @Test("Paths: the current folder, what is there, and where a link leads")
    func paths() throws {
        let folder = try TemporaryDirectory()
        let link = folder.file("link")
        try #require(symlink("nowhere \u{E9}", link) == 0)
        #expect(Path.currentFolder() == FileManager.default.currentDirectoryPath)
        #expect(Path.target(ofLink: link) == "nowhere \u{E9}")
        #expect(Path.target(ofLink: "/") == nil && Path.target(ofLink: folder.file("none")) == nil)
        #expect(Path.isThere("/") && !Path.isThere(link))
    }
}
