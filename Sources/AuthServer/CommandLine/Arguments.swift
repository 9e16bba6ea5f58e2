/// What a command line says, once it is known to be well-formed.
struct Arguments: Sendable {
    private var given: [Flag: [String]] = [:]
    /// The arguments that are no flags, in order.
    fileprivate(set) var positionals: [String] = []

    /// Whether a toggle was given.
    func has(_ flag: Flag) -> Bool { given[flag] != nil }

    /// The value of a flag, if it was given.
    func value(_ flag: Flag) -> String? { given[flag]?.first }

    /// All values of a flag that may be repeated, in order.
    func values(_ flag: Flag) -> [String] { given[flag] ?? [] }

    /// The positional argument at `index`, if it was given.
    func positional(_ index: Int) -> String? {
        positionals.indices.contains(index) ? positionals[index] : nil
    }

    fileprivate mutating func add(_ value: String?, to flag: Flag) {
        given[flag, default: []] += value.map { [$0] } ?? []
    }
}

/// Reads the arguments of one command: `--flag value`, `--flag=value`, `--toggle`, `--`, positionals.
struct ArgumentParser {
    /// The flags that the command has.
    let flags: [Flag]
    /// The positionals that it takes, in order; only the last may be optional or repeated.
    let positionals: [Positional]
    /// Other flags, as they are spelt, and what may be meant by them.
    var meant: [String: String] = [:]
    /// The flag whose value an argument too many may be meant to be.
    var surplus: Flag?

    /// Reads what follows the command's own words.
    /// - Throws: a usage error that names the argument, and the nearest flag for an unknown one.
    func parse(_ arguments: some Sequence<String>) throws(CommandError) -> Arguments {
        var result = Arguments()
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                result.positionals += rest
                break
            } else if argument == "-h" {
                result.add(nil, to: .help)
            } else if argument.hasPrefix("-"), argument != "-" {
                try parseFlag(argument, rest: &rest, into: &result)
            } else {
                result.positionals.append(argument)
            }
        }
        if !result.has(.help) { try checkPositionals(result) }
        return result
    }

    private func parseFlag(
        _ argument: String, rest: inout ArraySlice<String>, into result: inout Arguments
    ) throws(CommandError) {
        // By bytes: a sign that combines with the one before it would make another character of the equals sign.
        let equals = argument.utf8.firstIndex(of: UInt8(ascii: "="))
        let spelling = String(argument[..<(equals ?? argument.endIndex)])
        guard let flag = (flags + [.help]).first(where: { $0.spelling == spelling }) else {
            throw unknown(spelling)
        }
        let attached = equals.map { String(argument[argument.utf8.index(after: $0)...]) }
        switch flag.kind {
        case .toggle:
            guard attached == nil else { throw .usage("\(spelling) takes no value") }
            result.add(nil, to: flag)
        case .value, .repeatedValue:
            if flag.kind == .value, result.has(flag) { throw .usage("\(spelling) is given twice") }
            if let attached {
                result.add(attached, to: flag)
            } else {
                result.add(try detachedValue(of: spelling, rest: &rest), to: flag)
            }
        }
    }

    private func detachedValue(
        of spelling: String, rest: inout ArraySlice<String>
    ) throws(CommandError) -> String {
        guard let next = rest.first else { throw .usage("\(spelling) needs a value") }
        guard !next.hasPrefix("--") else {
            throw .usage(
                "\(spelling) needs a value, and is followed by the flag \(Printable.text(next))",
                hint: "a value that begins with dashes is written \(spelling)=VALUE")
        }
        rest.removeFirst()
        return next
    }

    private func unknown(_ spelling: String) -> CommandError {
        let known = (flags + [.help]).map(\.spelling)
        // A kid or a jti may begin with a dash.
        let mayBeArgument = !spelling.hasPrefix("--") || spelling.utf8.count > 30
        let isLikelyArgument = mayBeArgument && !positionals.isEmpty
        let likely =
            meant[spelling] ?? longFlag(of: spelling) ?? NearestName.nearest(to: spelling, among: known)
            ?? NearestName.holding(spelling, among: known)
        let hint =
            likely.map { "did you mean \($0)?" }
            ?? (isLikelyArgument ? "an argument that begins with a dash is written after --" : nil)
        return .usage("unknown flag \(Printable.text(spelling))", hint: hint)
    }

    /// The only flag that begins with the letter of what looks like a short one.
    private func longFlag(of spelling: String) -> String? {
        guard spelling.utf8.count == 2 else { return nil }
        let long = flags.map(\.spelling).filter { $0.hasPrefix("-\(spelling)") }
        return long.count == 1 ? long[0] : nil
    }

    private func checkPositionals(_ arguments: Arguments) throws(CommandError) {
        let given = arguments.positionals
        let needed = positionals.filter { $0.count == .one }
        if given.count < needed.count { throw .usage("missing argument \(needed[given.count].name)") }
        if positionals.last?.count != .any, given.count > positionals.count {
            let argument = given[positionals.count]
            if let input = flags.first(where: \.bringsSecret) {
                let place = given.prefix(positionals.count).last.map { " after \(Printable.quoted($0))" }
                throw .usage(
                    "unexpected argument\(place ?? ""), which may be a secret",
                    hint: "a secret is no argument, which others on this machine see: "
                        + "\(input.spelling) reads one")
            }
            let flag =
                argument == "help" || Printable.holdsToken(argument)
                ? nil : surplus.flatMap { arguments.has($0) ? nil : $0 }
            throw .usage(
                "unexpected argument \(Printable.quoted(argument))",
                hint: flag.map { "did you mean \(ShellWord.flag($0, argument))?" })
        }
    }
}
