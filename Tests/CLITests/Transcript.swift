import Foundation

/// A session at the command line: what is typed, what is printed, how it ends.
///
///     # A comment, and a blank line, are skipped between commands.
///     $ authserver client show nobody
///     ! authserver: [...]
///     ? 1
///
/// After a `$` line come the lines of standard output as they are, those of standard error after `! `, and the
/// exit status after `? ` where it is not 0. A `$` line is given to the shell. `[...]` stands for anything within
/// a line, and alone on a line for any lines.
struct Transcript {
    /// One command with what it is expected to do.
    struct Step: Sendable {
        let line: Int
        let command: String
        var output: [String] = []
        var messages: [String] = []
        var status: Int32 = 0
    }

    private(set) var steps: [Step] = []

    init(_ text: String) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("$ ") {
                steps.append(Step(line: index + 1, command: String(line.dropFirst(2))))
            } else if !steps.isEmpty {
                addExpectation(String(line))
            }
        }
        for index in steps.indices { Self.trimBlankEnd(&steps[index].output) }
    }

    private mutating func addExpectation(_ line: String) {
        let last = steps.count - 1
        if line.hasPrefix("? ") {
            steps[last].status = Int32(line.dropFirst(2)) ?? -1
        } else if line.hasPrefix("!") {
            steps[last].messages.append(String(line.dropFirst(line.hasPrefix("! ") ? 2 : 1)))
        } else if !line.hasPrefix("#") {
            steps[last].output.append(line)
        }
    }

    private static func trimBlankEnd(_ lines: inout [String]) {
        while lines.last?.isEmpty == true { lines.removeLast() }
    }

    /// Whether printed lines are as expected.
    static func matches(_ printed: [String], _ expected: [String]) -> Bool {
        guard let first = expected.first else { return printed.isEmpty }
        let rest = Array(expected.dropFirst())
        if first == wildcard {
            return (0...printed.count).contains { matches(Array(printed.dropFirst($0)), rest) }
        }
        guard let line = printed.first, matches(line, first) else { return false }
        return matches(Array(printed.dropFirst()), rest)
    }

    private static func matches(_ line: String, _ expected: String) -> Bool {
        let parts = expected.components(separatedBy: wildcard)
        guard parts.count > 1 else { return line == expected }
        guard line.hasPrefix(parts[0]) else { return false }
        var rest = line.dropFirst(parts[0].count)
        for part in parts.dropFirst().dropLast() {
            guard let range = rest.range(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(parts[parts.count - 1])
    }

    private static let wildcard = "[...]"
}
