import Testing

@testable import AuthServer

@Suite("Texts from elsewhere")
struct PrintableTests {
    private static let token = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhcHAifQ.c2ln-bmF0dXJl_"

    @Test(
        "Of a token no more than its kind is printed, wherever it stands",
        arguments: [
            "%", "Bearer %", "Authorization: Bearer %", " %", "--%", "-%", "\"%\"", "%.x", "/var/lib/%",
            "'%' %",
            "--client 'Bearer %'", "eyJ%", "%\n",
        ])
    func token(pattern: String) {
        let text = pattern.split(separator: "%", omittingEmptySubsequences: false).joined(
            separator: Self.token)
        for printed in [Printable.text(text), Printable.quoted(text), Printable.withoutTokens(text)] {
            #expect(printed.contains("eyJ…"))
            for part in Self.token.split(separator: ".") { #expect(!printed.contains(part), "\(printed)") }
        }
    }

    @Test(
        "Nor is one that was broken into lines, or whose dots are encoded",
        arguments: ["\n", "\r\n", "\n    ", " \n\t", "\r"], [1, 7, 19, 20, 30])
    func broken(separator: String, width: Int) {
        let bytes = Array(Self.token.utf8)
        let lines = stride(from: 0, to: bytes.count, by: width).map {
            String(decoding: bytes[$0..<min($0 + width, bytes.count)], as: UTF8.self)
        }
        let text = "eyJ" + lines.joined(separator: separator)
        #expect(Printable.text("a \(text) b") == "a eyJ… b")
        for dot in ["%2E", "%2e"] {
            let encoded = Self.token.split(separator: ".").joined(separator: dot)
            #expect(Printable.quoted(encoded) == "\"eyJ…\"")
        }
    }

    @Test(
        "What only looks a little like one stays",
        arguments: [
            "eyJ", "a.b.c", "my.eyJ", "heyJoe", "a eyJab b.c", "eyJab%2", "eyJab\u{E9}\u{308}.c", "eyJ%2Fa",
        ])
    func other(text: String) {
        #expect(Printable.text(text) == text && Printable.withoutTokens(text) == text)
    }

    @Test(
        "No mistake at the command line prints a token",
        arguments: [
            ["token", "inspect", "x", "Bearer T"], ["token", "revoke", "--id", "Bearer T"],
            ["history", "Bearer T"],
            ["history", "--since", "Bearer T"], ["token", "issue", "--client", "Bearer T"], ["Bearer T"],
            ["client", "Bearer T"], ["token", "inspect", "--T"], ["token", "inspect", "-T"], ["\"T\""],
            ["T.x"],
            ["token", "inspect", "--database", "/nowhere/T", "T"], ["--T"], ["serve", "--listen", "T"],
            ["serve", "--log-format", "json", "--database", "/nowhere/T"], ["history", "--client", "T\nT"],
            ["token", "revoke", "--id", "T\r\n"],
        ], [[], ["--json"]])
    func mistakes(arguments: [String], more: [String]) async {
        let line = arguments.map {
            $0.split(separator: "T", omittingEmptySubsequences: false).joined(separator: Self.token)
        }
        let outcome = await Program().run(line + more)
        #expect(outcome.exitCode != .ok)
        for part in Self.token.split(separator: ".").dropFirst() {
            #expect(!(outcome.output + outcome.messages).contains(part), "\(outcome.messages)")
        }
    }
}
