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

    @Test("A moment that no calendar has is written in seconds", arguments: [Int64.max, .min])
    func noMoment(seconds: Int64) {
        #expect(UniversalTime.text(seconds) == "\(seconds) s")
    }

    @Test("The environment is what the process has")
    func environment() {
        let variables = Environment.variables()
        #expect(variables == ProcessInfo.processInfo.environment)
        #expect(variables["PATH"] != nil)
    }

    @Test(
        "Variables are taken apart at the first sign of equality",
        arguments: [
            (["A=b=c"], ["A": "b=c"]), (["EMPTY="], ["EMPTY": ""]), (["A=1", "A=2"], ["A": "1"]),
            (["=A=b", "none", ""], [:]), (["\u{E9}=\u{E9}\n"], ["\u{E9}": "\u{E9}\n"]),
        ])
    func variables(entries: [String], variables: [String: String]) {
        #expect(Environment.variables(entries) == variables)
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
