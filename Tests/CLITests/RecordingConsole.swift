@testable import AuthServer

/// A console in memory: what is read is given, what is printed is kept.
final class RecordingConsole: Console {
    let inputIsTerminal: Bool
    let outputIsTerminal: Bool
    let errorIsTerminal: Bool
    private var input: ArraySlice<UInt8>
    private(set) var output = ""
    private(set) var messages = ""

    init(input: String = "", isTerminal: Bool = false) {
        self.input = Array(input.utf8)[...]
        inputIsTerminal = isTerminal
        outputIsTerminal = isTerminal
        errorIsTerminal = isTerminal
    }

    func readAll(limit: Int) -> [UInt8]? {
        defer { input = [] }
        return input.count > limit ? nil : Array(input)
    }

    func readHiddenLine(_ question: String) -> [UInt8]? {
        writeMessage(question)
        return readLine()
    }

    func readLine() -> [UInt8]? {
        guard !input.isEmpty else { return nil }
        let line = input.prefix { $0 != UInt8(ascii: "\n") }
        input = input.dropFirst(line.count + 1)
        return Array(line)
    }

    func write(_ text: String) -> Bool {
        output += text
        return true
    }

    func writeMessage(_ text: String) { messages += text }
}

/// What a run of the program printed, and how it ended.
struct Outcome: Sendable, Equatable {
    let exitCode: ExitCode
    let output: String
    let messages: String
}

/// The program on a clock that stands still, or is set.
struct Program {
    var clock: (@Sendable () -> Int64)?
    var environment: [String: String] = [:]
    var isTerminal = false
    var now: Int64 = 1_800_000_000
    var progressDelay = ProgressLine.usualDelay

    func run(_ arguments: String..., input: String = "") async -> Outcome {
        await run(arguments, input: input)
    }

    func run(_ arguments: [String], input: String = "") async -> Outcome {
        let console = RecordingConsole(input: input, isTerminal: isTerminal)
        let milliseconds = now * 1000
        let tool = CommandLineTool(
            tree: .authserver, environment: environment, console: console, clock: clock ?? { milliseconds },
            progressDelay: progressDelay)
        let exitCode = await tool.run(arguments)
        return Outcome(exitCode: exitCode, output: console.output, messages: console.messages)
    }
}
