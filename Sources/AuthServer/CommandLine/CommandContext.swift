internal import JOSE

/// What a command is given: its arguments, the environment, the console and the time.
struct CommandContext {
    /// The arguments, well-formed.
    let arguments: Arguments
    /// The environment's variables.
    let environment: [String: String]
    /// Where it reads and prints.
    let console: any Console
    /// The settings in force for it.
    let settings: ResolvedSettings
    /// The clock, in milliseconds since 1970.
    let clock: @Sendable () -> Int64
    /// How long something may take before it shows how far it is.
    let progressDelay: Duration

    /// The time, in milliseconds since 1970: read anew each time, since a command may have waited for an answer or
    /// for a lock, and a revocation counts from when it is made.
    var nowMilliseconds: Int64 { clock() }

    /// The time, in seconds since 1970.
    var now: Int64 { nowMilliseconds / 1000 }

    /// Whether a program reads the result.
    var isJSON: Bool { arguments.has(.json) }

    /// Colours for the result.
    var outputStyle: TerminalStyle {
        TerminalStyle(isTerminal: console.outputIsTerminal, environment: environment)
    }

    /// Prints the result: the document with `--json`, else the text.
    /// - Throws: when standard output cannot be written, so that no result is lost in silence.
    func emit(_ document: JSONValue, text: String) throws(CommandError) {
        let result = isJSON ? JSONText.line(document) : text
        guard result.isEmpty || console.write(result) else {
            throw CommandError(
                .failed, "the result cannot be written to standard output",
                hint: "what the command did stays done: look at the result with a list or show command")
        }
    }

    /// Prints the result: the document with `--json`, else the table.
    func emit(_ document: JSONValue, table: TextTable, whenEmpty message: String) throws(CommandError) {
        if table.rows.isEmpty, !isJSON { note(message) }
        let text =
            table.rows.isEmpty
            ? "" : table.text(forTerminal: console.outputIsTerminal, style: outputStyle)
        try emit(document, text: text)
    }

    /// Says something to the person beside the result; nothing with `--json`.
    func note(_ message: String) {
        if !isJSON { console.writeMessage(Printable.text(message) + "\n") }
    }

    /// Says what may be wrong though the command does its work; with `--json` a document of its own.
    func warn(_ message: String) {
        let warning = JSONText.line(.members([("warning", .string(message))]))
        console.writeMessage(isJSON ? warning : "warning: \(Printable.text(message))\n")
    }

    /// Whether there is somebody to ask.
    var canAsk: Bool { console.inputIsTerminal && !isJSON }

    /// Asks before something that cannot be undone.
    /// - Throws: a refusal when the answer is no, or when nobody can answer and `--yes` is not given.
    func confirm(_ question: String) throws(CommandError) {
        if arguments.has(.yes) { return }
        guard canAsk else {
            throw CommandError(.refused, "\(question) needs a confirmation", hint: "add --yes to confirm it")
        }
        console.writeMessage("\(Printable.text(question))? [y/N] ")
        let answer = console.readLine().map { String(decoding: $0, as: UTF8.self).lowercased() }
        guard answer == "y" || answer == "yes" else { throw CommandError(.refused, "nothing was changed") }
    }
}
