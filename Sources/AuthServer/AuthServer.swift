internal import AuthStore
internal import Glibc
internal import OperatingSystem

/// The program. What it does is in `CommandLineTool`, which is isolated to no actor: a closure that is given to C
/// here would be taken as the main actor's, and trap on any other thread.
@main
struct AuthServer {
    static func main() async {
        // A reader that went away is an error of the write: a command says what it did, or takes it back.
        signal(SIGPIPE, SIG_IGN)
        if CommandLine.arguments.dropFirst().first == "serve" { Serve.keepRereading() }
        forgoSQLiteMemoryStatistics()
        exit(await runTool().rawValue)
    }

    nonisolated private static func runTool() async -> ExitCode {
        let tool = CommandLineTool(
            tree: .authserver, environment: Environment.variables(), console: SystemConsole(),
            clock: WallClock.now)
        return await tool.run(Array(CommandLine.arguments.dropFirst()))
    }
}
