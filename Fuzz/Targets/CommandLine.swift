@testable import AuthServer
@testable import OAuth

extension FuzzTarget {
    /// Command lines, an argument a line, and the syntax of grants.
    static let commandLine = FuzzTarget(name: "command-line") { input in
        let arguments = input.texts()
        for argument in arguments.prefix(4) { checkGrant(argument) }
        do throws(CommandError) {
            guard case .command(let command, let rest) = try CommandTree.authserver.destination(of: arguments)
            else { return }
            try check(command, rest)
        } catch {
            check(error)
        }
    }

    /// What was parsed is written, and parsed again, without a change.
    private static func check(_ command: Command, _ arguments: [String]) throws(CommandError) {
        let parser = ArgumentParser(flags: command.flags, positionals: command.positionals)
        let parsed = try parser.parse(arguments)
        var written: [String] = []
        for flag in command.flags + [.help] where parsed.has(flag) {
            let values = parsed.values(flag).map { "\(flag.spelling)=\($0)" }
            written += flag.kind == .toggle ? [flag.spelling] : values
        }
        written += ["--"] + parsed.positionals
        guard let again = try? parser.parse(written) else { fatalError("\(written) does not parse") }
        demand(again.positionals == parsed.positionals, "positionals change")
        for flag in command.flags + [.help] {
            demand(again.values(flag) == parsed.values(flag), "\(flag.spelling) changes")
            demand(again.has(flag) == parsed.has(flag), "\(flag.spelling) is lost")
            if flag.kind == .value {
                demand(parsed.values(flag).count <= 1, "\(flag.spelling) is taken twice")
            }
        }
    }

    private static func checkGrant(_ text: String) {
        do throws(CommandError) {
            let grant = try GrantArgument(text)
            let scopes = grant.scopes.map { "=" + $0.map(\.value).joined(separator: ",") }
            let written = grant.resource.value + (scopes ?? "")
            demand((try? GrantArgument(written)) == grant, "\(written.debugDescription) is another grant")
        } catch {
            check(error)
        }
    }

    /// An error can be shown on a terminal.
    private static func check(_ error: CommandError) {
        for text in [error.message, error.hint ?? ""] {
            let printed = Printable.text(text)
            let isPlain = printed.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
            demand(isPlain, "a control character is printed")
            demand(
                printed.unicodeScalars.count < 20_000,
                "an error of \(printed.unicodeScalars.count) characters")
        }
    }
}
