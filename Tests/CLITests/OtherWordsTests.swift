import Testing

@testable import AuthServer

@Suite("Words of other programs")
struct OtherWordsTests {
    @Test(
        "A command of another name is proposed, and never its opposite",
        arguments: [
            ("client ungrant", "client revoke-grant"), ("client delete", "client remove"),
            ("client rm", "client remove"), ("client create", "client add"), ("client ls", "client list"),
            ("client LS", "client list"), ("client update", "client set"), ("client get", "client show"),
            ("client delete-secret", "client remove-secret"), ("client add-secret", "client rotate-secret"),
            ("client undisable", "client enable"), ("client deactivate", "client disable"),
            ("resource new", "resource add"), ("resource destroy", "resource remove"),
            ("key delete", "key retire"), ("key create", "key rotate"), ("key show", "key list"),
            ("token show", "token inspect"), ("key remove", "key retire"), ("token add", "token issue"),
            ("token delete", "token revoke"), ("token new", "token issue"), ("token verify", "token inspect"),
            ("start", "serve"), ("init", "migrate"), ("delete", "client remove or resource remove"),
            ("ungrant", "client revoke-grant"), ("verify", "token inspect"),
        ])
    func proposed(line: String, meant: String) async {
        let outcome = await Program().run(line.split(separator: " ").map(String.init))
        #expect(outcome.exitCode == .usage)
        #expect(outcome.messages.hasSuffix("\nhint: did you mean \(meant)?\n"), "\(outcome.messages)")
    }

    @Test(
        "What turns a command round is no misspelling of it",
        arguments: [
            "key unretire", "token unrevoke", "client unenable", "client no-disable", "client deenable",
            "token norevoke", "client un-disable",
        ])
    func turnedRound(line: String) async {
        let outcome = await Program().run(line.split(separator: " ").map(String.init))
        #expect(
            outcome.exitCode == .usage && !outcome.messages.contains("did you mean"), "\(outcome.messages)")
    }

    @Test("Each word leads to commands by one way, and a command's own to itself first")
    func table() {
        let tree = CommandTree.authserver
        let commands = Set(tree.allCommands.compactMap(\.words.last))
        let words = OtherWords.table.flatMap(\.words)
        #expect(Set(words).count == words.count)
        for word in commands.intersection(words) {
            #expect(OtherWords.meant(by: word, among: commands) == word)
        }
        #expect(commands.isSuperset(of: OtherWords.table.flatMap(\.commands)))
    }
}
