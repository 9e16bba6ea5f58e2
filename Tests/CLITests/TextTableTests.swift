import Testing

@testable import AuthServer

@Suite("Tables")
struct TextTableTests {
    private let plain = TerminalStyle(isTerminal: false, environment: [:])

    private func table() -> TextTable {
        var table = TextTable("CLIENT", "NAME")
        table.add("gateway", "")
        table.add("b", "The \u{1B}[31mbook\tshop")
        return table
    }

    @Test("A pipe gets a line a record, with tabs and no control character of the data")
    func piped() {
        #expect(
            table().text(forTerminal: false, style: plain) == "gateway\t-\nb\tThe \\u{1b}[31mbook\\u{9}shop\n"
        )
    }

    @Test("A terminal gets columns under a heading")
    func aligned() {
        #expect(
            table().text(forTerminal: true, style: plain)
                == "CLIENT   NAME\ngateway  -\nb        The \\u{1b}[31mbook\\u{9}shop\n")
    }

    @Test("Colours are for terminals that want them")
    func colours() {
        #expect(TerminalStyle(isTerminal: true, environment: [:]).isEnabled)
        #expect(!TerminalStyle(isTerminal: false, environment: [:]).isEnabled)
        #expect(!TerminalStyle(isTerminal: true, environment: ["NO_COLOR": "1"]).isEnabled)
        #expect(!TerminalStyle(isTerminal: true, environment: ["TERM": "dumb"]).isEnabled)
    }
}
