/// Why a command is not done: a message for a person, a hint that names the fix, a code for a program.
///
/// Holds no secret, no token and no key: of a token that was in the wrong place no more than its kind.
struct CommandError: Error, Equatable, Sendable {
    /// The `error` member that `--json` prints; the raw values are stable.
    enum Code: String, Sendable, CaseIterable {
        case usage
        case configuration
        case invalid
        case notFound = "not_found"
        case alreadyExists = "already_exists"
        case notMigrated = "not_migrated"
        case refused
        case unavailable
        case failed
    }

    /// What kind of trouble it is.
    let code: Code
    /// What is wrong, as the end of a sentence that begins with the program's name.
    let message: String
    /// What to do about it.
    let hint: String?

    init(_ code: Code, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = Printable.withoutTokens(message)
        self.hint = hint.map(Printable.withoutTokens)
    }

    /// The command line is wrong.
    static func usage(_ message: String, hint: String? = nil) -> CommandError {
        CommandError(.usage, message, hint: hint)
    }

    /// How the program ends because of it.
    var exitCode: ExitCode {
        switch code {
        case .usage, .configuration: .usage
        default: .failed
        }
    }

    /// The same error with a hint where it has none.
    func hinting(_ text: String) -> CommandError {
        CommandError(code, message, hint: hint ?? text)
    }
}
