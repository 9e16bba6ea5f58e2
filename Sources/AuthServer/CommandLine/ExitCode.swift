/// How the program ends.
enum ExitCode: Int32, Sendable {
    /// Done.
    case ok = 0
    /// Refused or failed: the command was understood, but its work is not done.
    case failed = 1
    /// The command line or the configuration is wrong.
    case usage = 2
}
