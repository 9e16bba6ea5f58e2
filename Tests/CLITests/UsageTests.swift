import FoundationEssentials
import Testing

@testable import AuthServer

@Suite("Help")
struct UsageTests {
    @Test(
        "Every usage text ends in examples and fits a screen's width",
        arguments: CommandTree.authserver.allCommands)
    func examples(command: Command) throws {
        #expect(command.usage.hasPrefix("Usage: authserver \(command.name) "))
        let examples = try #require(command.usage.components(separatedBy: "\nExamples:\n").last)
        #expect(examples.contains("  authserver \(command.name)"))
        #expect(command.usage.hasSuffix("\n") && !command.usage.hasSuffix("\n\n"))
        #expect(command.usage.split(separator: "\n").allSatisfy { $0.count <= 116 })
    }

    @Test(
        "A usage text names the command's flags, all and no others",
        arguments: CommandTree.authserver.allCommands)
    func flags(command: Command) {
        let common: Set = ["--help", "--json", "--config"]
        // Other commands may be mentioned, between backticks.
        let head = command.usage.components(separatedBy: "\nExamples:\n")[0].replacing(/`[^`]*`/, with: "")
        let named = Set(head.matches(of: /(?:^|[\s\[(|])(--[a-z][a-z-]*)/).map { String($0.1) })
        let known = Set(command.flags.map(\.spelling))
        #expect(known.subtracting(common).subtracting(named).isEmpty, "not explained")
        #expect(named.subtracting(common).subtracting(known).isEmpty, "explained, but unknown")
    }

    @Test(
        "Help is found everywhere",
        arguments: [
            ["help", "serve"], ["serve", "--help"], ["serve", "-h"], ["serve", "--threads", "2", "-h"],
        ])
    func everywhere(arguments: [String]) async {
        let outcome = await Program().run(arguments)
        #expect(outcome == Outcome(exitCode: .ok, output: ServeCommand.usage, messages: ""))
    }

    @Test("Help of the whole", arguments: [["--help"], ["-h"], ["help"], ["help", "help"]])
    func whole(arguments: [String]) async {
        let outcome = await Program().run(arguments)
        #expect(outcome == Outcome(exitCode: .ok, output: CommandTree.authserver.usage, messages: ""))
    }

    @Test("Missing words show the usage as a mistake")
    func missingWords() async {
        let outcome = await Program().run()
        #expect(outcome == Outcome(exitCode: .usage, output: "", messages: CommandTree.authserver.usage))
    }

    @Test("No two commands have one name")
    func distinct() {
        let names = CommandTree.authserver.allCommands.map(\.name)
        #expect(Set(names).count == names.count)
    }
}
