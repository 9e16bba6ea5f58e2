/// The flags of an example service: `--name value` or `--name=value`, each once.
public struct Flags: Sendable {
    private var values: [String: String] = [:]

    /// Reads a command line.
    /// - Throws: `UsageError` for anything but the known flags with a value each.
    public init(_ arguments: some Sequence<String>, known: Set<String>) throws(UsageError) {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard known.contains(name) else { throw UsageError("unknown argument \(name.debugDescription)") }
            guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst(), !value.isEmpty else {
                throw UsageError("\(name) needs a value")
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw UsageError("\(name) is given twice")
            }
        }
    }

    /// The value of a flag, if it was given.
    public subscript(_ name: String) -> String? { values[name] }
}

/// A command line that is not understood.
public struct UsageError: Error, Sendable, CustomStringConvertible {
    /// What is wrong.
    public let description: String

    /// An error that says what is wrong.
    public init(_ description: String) { self.description = description }
}
