internal import JOSE

/// The whole program as a function: from arguments, environment and console to an exit code.
struct CommandLineTool {
    /// The commands.
    let tree: CommandTree
    /// The environment's variables.
    let environment: [String: String]
    /// Where commands read and print.
    let console: any Console
    /// The time, in milliseconds since 1970.
    let clock: @Sendable () -> Int64
    /// How long something may take before it shows how far it is.
    var progressDelay = ProgressLine.usualDelay

    /// Runs the command that the arguments name; they are given without the program's name.
    func run(_ arguments: [String]) async -> ExitCode {
        do throws(CommandError) {
            switch try tree.destination(of: arguments) {
            case .help(let text): return show(text)
            case .version: return show("authserver \(version)\n")
            case .incomplete(let text):
                console.writeMessage(text)
                return .usage
            case .command(let command, let rest): return try await run(command, arguments: rest)
            }
        } catch {
            return refuse(error, isJSON: arguments.prefix { $0 != "--" }.contains(Flag.json.spelling))
        }
    }

    /// Says why nothing is done.
    func refuse(_ error: CommandError, isJSON: Bool = false) -> ExitCode {
        report(error, isJSON: isJSON)
        return error.exitCode
    }

    private func run(_ command: Command, arguments: [String]) async throws(CommandError) -> ExitCode {
        let usage = "authserver \(command.name) --help shows the usage"
        let parsed: Arguments
        do throws(CommandError) {
            parsed = try ArgumentParser(
                flags: command.flags, positionals: command.positionals, meant: tree.meant(at: command),
                surplus: command.surplus
            ).parse(arguments)
        } catch {
            throw error.hinting(usage)
        }
        if parsed.has(.help) { return show(command.usage) }
        // Whoever asks for help must not make a client of that name.
        if parsed.positionals == ["help"], !arguments.contains("--") {
            throw .usage(
                "\"help\" would be taken as \(command.positionals[0].name)",
                hint: "\(usage); where that is the name, write: authserver \(command.name) -- help")
        }
        let settings = try SettingSources(arguments: parsed, environment: environment).resolved()
        let context = CommandContext(
            arguments: parsed, environment: environment, console: console, settings: settings,
            clock: clock, progressDelay: progressDelay)
        return try await command.body(context)
    }

    private func show(_ text: String) -> ExitCode { console.write(text) ? .ok : .failed }

    /// `authserver: what is wrong`, and a line with the hint; with `--json` one document.
    private func report(_ error: CommandError, isJSON: Bool) {
        guard !isJSON else {
            var members: [(String, JSONValue)] = [
                ("error", .string(error.code.rawValue)), ("message", .string(error.message)),
            ]
            if let hint = error.hint { members.append(("hint", .string(hint))) }
            console.writeMessage(JSONText.line(.members(members)))
            return
        }
        let style = TerminalStyle(isTerminal: console.errorIsTerminal, environment: environment)
        console.writeMessage("\(style.red("authserver:")) \(Printable.text(error.message))\n")
        if let hint = error.hint { console.writeMessage("hint: \(Printable.text(hint))\n") }
    }
}
