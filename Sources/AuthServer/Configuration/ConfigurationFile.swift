internal import FoundationEssentials

/// The configuration file: one JSON5 object whose members are settings.
enum ConfigurationFile {
    /// Reads the settings of a file as texts.
    static func read(_ path: String) throws(CommandError) -> [Setting: String] {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw CommandError(
                .configuration, "the configuration file \(Printable.text(path)) cannot be read",
                hint: "check --config and \(Setting.configVariable), and that the file is there and readable")
        }
        return try settings(of: data, path: path)
    }

    /// The settings that a file's content gives.
    /// - Throws: a configuration error for what is no JSON5 object, for a key that names no setting, with the
    ///   nearest that does, and for a value that is no text, number or boolean.
    static func settings(of data: Data, path: String) throws(CommandError) -> [Setting: String] {
        let text = String(validating: data, as: UTF8.self)
        guard let members = text.flatMap(members) else {
            let line = text.flatMap(likelyLine)
            throw CommandError(
                .configuration,
                "\(Printable.text(path)) holds no JSON5 object"
                    + (line.map { ": look at line \($0) and at the end of the one before" } ?? ""),
                hint: "write for example { listen: \"127.0.0.1:8083\", threads: 2 }")
        }
        var result: [Setting: String] = [:]
        for (key, value) in members.sorted(by: { $0.key < $1.key }) {
            guard let setting = Setting.allCases.first(where: { $0.key == key }) else {
                throw unknown(key, path: path)
            }
            guard let text = value.text else {
                throw CommandError(
                    .configuration, "\(key) in \(Printable.text(path)) is no text, number or boolean",
                    hint: "write \(key): \"…\"")
            }
            result[setting] = text
        }
        return result
    }

    private static func members(_ text: String) -> [String: Scalar]? {
        // Foundation ends the process over some numbers, as over some texts that are no UTF-8.
        guard JSON5Numbers.arePlain(text) else { return nil }
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        return try? decoder.decode([String: Scalar].self, from: Data(text.utf8))
    }

    /// The line from which on a text is no object, since the parser does not tell: the one after the last that
    /// would be right as the end. nil where that says nothing, or would take long.
    static func likelyLine(_ text: String) -> Int? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard (2...200).contains(lines.count) else { return nil }
        let last = lines.indices.last { members(lines[...$0].joined(separator: "\n") + "\n}") != nil }
        return last.map { min($0 + 2, lines.count) }
    }

    private static func unknown(_ key: String, path: String) -> CommandError {
        let hint = NearestName.hint(
            for: key, among: Setting.allCases.map(\.key),
            otherwise: "remove it: authserver serve --help lists the keys")
        return CommandError(
            .configuration, "unknown key \(Printable.quoted(key)) in \(Printable.text(path))", hint: hint)
    }

    /// A member's value; `text` is nil for arrays, objects and null.
    private struct Scalar: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws {
            guard let container = try? decoder.singleValueContainer() else {
                text = nil
                return
            }
            if let flag = try? container.decode(Bool.self) {
                text = String(flag)
            } else if let number = try? container.decode(Int64.self) {
                text = String(number)
            } else {
                text = try? container.decode(String.self)
            }
        }
    }
}
