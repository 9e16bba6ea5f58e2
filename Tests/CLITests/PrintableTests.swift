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
        "What only looks a little like one stays",
        arguments: ["eyJ", "a.b.c", "my.eyJ", "heyJoe", "a eyJab b.c"])
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
            ["serve", "--log-format", "json", "--database", "/nowhere/T"],
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
