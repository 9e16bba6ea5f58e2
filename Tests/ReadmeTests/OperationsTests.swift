import Foundation
import TestSupport
import Testing

/// What docs/operations.md shows to be copied.
@Suite("Operations")
struct OperationsTests {
    private let document: Document

    init() throws { document = try Document("docs/operations.md") }

    @Test("The example of a configuration is understood, each line of it")
    func configuration() async throws {
        let example = try document.block("json5", with: "issuer")
        let session = try ShellSession(["EXAMPLE": example])
        let outcome = try await session.run(
            #"printf %s "$EXAMPLE" >a.json5 && authserver serve --print-config --config a.json5"#)
        #expect(outcome.status == 0, "\(outcome)")
        let given = outcome.output.filter { $0.hasSuffix("\tfile a.json5") }
        let keys = example.matches(of: /(?m)^ +([a-z_]+):/).map { String($0.1) }
        try #require(keys.count >= 6)
        #expect(Set(given.map { String($0.prefix { $0 != "\t" }) }) == Set(keys))
        #expect(given.contains("issuer\thttps://auth.example.com\tfile a.json5"))
    }

    @Test("The unit has what systemd needs to enable it, and the server's own time to end")
    func unit() throws {
        let unit = try document.block("ini", with: "ExecStart=")
        let lines = unit.split(separator: "\n")
        for line in ["[Unit]", "[Service]", "[Install]", "WantedBy=multi-user.target"] {
            #expect(lines.contains { $0 == line }, "\(line)")
        }
        let seconds = try #require(unit.firstMatch(of: /(?m)^TimeoutStopSec=([0-9]+)$/)?.1)
        #expect(try #require(Int(seconds)) > 10)
        // The names of the two files stand at their beginnings.
        let file = try #require(try document.block("json5", with: "issuer").firstMatch(of: /^\/\/ (\S+)/)?.1)
        #expect(unit.contains("--config \(file)\n"))
    }

    @Test("The backup is for its owner alone", .enabled(if: isThere("sqlite3")))
    func backup() async throws {
        let command = try document.block("text", with: "copy.db")
        let outcome = try await ShellSession().run(
            "umask 022; authserver migrate >&2 && \(command) && stat -c %a copy.db && authserver key list --database copy.db >&2"
        )
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.output == ["600"], "\(outcome)")
    }

    @Test("The commands that count lines of the log count them", .enabled(if: isThere("jq")))
    func metrics() async throws {
        let lines = document.blocks("json").filter { $0.hasPrefix(#"{"time""#) }
        try #require(lines.count == 1)
        let commands = try document.block("text", with: "jq").replacing(
            /journalctl[^|]*\|/, with: #"printf 'no JSON\n%s\n%s\n' "$LINE" "$LINE" |"#)
        let outcome = try await ShellSession(["LINE": lines[0]]).run(commands)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(
            outcome.output == ["      2 token 401 invalid_client", "      2 token 200 issued", "212"],
            "\(outcome)")
    }

    private static func isThere(_ program: String) -> Bool {
        ["/usr/bin/", "/usr/local/bin/", "/bin/"].contains {
            FileManager.default.isExecutableFile(atPath: $0 + program)
        }
    }
}
