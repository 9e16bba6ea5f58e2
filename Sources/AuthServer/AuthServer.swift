internal import AuthStore
internal import Glibc
internal import OperatingSystem

/// The program. What it does is in `CommandLineTool`, which is isolated to no actor: a closure that is given to C
/// here would be taken as the main actor's, and trap on any other thread.
@main
struct AuthServer {
    static func main() async {
        Descriptors.occupyStandardPlaces()
        // A reader that went away is an error of the write: a command says what it did, or takes it back.
        signal(SIGPIPE, SIG_IGN)
        if CommandLine.arguments.dropFirst().first == "serve" { Serve.keepRereading() }
        forgoSQLiteMemoryStatistics()
        Self.openMainQueue()
        exit(await runTool().rawValue)
    }

    /// Has libdispatch open the main queue's descriptor now. Otherwise it does so when the main thread ends, which is
    /// while the tool runs, and traps where that has just taken the last one.
    private static func openMainQueue() {
        Task { @MainActor in }
    }

    nonisolated private static func runTool() async -> ExitCode {
        let environment = Environment.read()
        let tool = CommandLineTool(
            tree: .authserver, environment: environment.variables, console: SystemConsole(),
            clock: WallClock.now)
        do throws(CommandError) {
            return await tool.run(try arguments(environment))
        } catch {
            return tool.refuse(error)
        }
    }

    /// Refuses what is no text: it would name another file than was meant.
    nonisolated private static func arguments(_ environment: Environment) throws(CommandError) -> [String] {
        let hint = "give names of files, and all else, in UTF-8"
        for name in environment.unreadable where name.utf8.starts(with: Setting.variablePrefix.utf8) {
            throw CommandError(
                .configuration, "the environment variable \(name) is no UTF-8, or has no name of a setting",
                hint: hint)
        }
        do throws(ProgramArguments.NotUTF8) { return try ProgramArguments.read() } catch {
            throw .usage("\(Printable.quoted(error.word)) is no UTF-8", hint: hint)
        }
    }
}
