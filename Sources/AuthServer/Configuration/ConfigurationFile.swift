internal import OperatingSystem

/// The configuration file: one JSON5 object whose members are settings.
enum ConfigurationFile {
    /// The most that it may have, in bytes.
    static let maximumBytes = 1 << 20

    /// Reads the settings of a file as texts. Paths among them count from the file's folder; where they come from a pipe
    /// or a device there is none, and they stay as they are.
    static func read(_ path: String) throws(CommandError) -> [Setting: String] {
        let file: SmallFile
        do throws(SmallFile.Refusal) {
            file = try SmallFile(path: path, maximumBytes: maximumBytes)
        } catch {
            throw CommandError(
                .configuration, "the configuration file \(Printable.text(path)) \(error)",
                hint: hint(for: error))
        }
        let settings = try settings(of: file.content, path: path)
        let isOfNoFolder = !file.isRegular || ["/dev/", "/proc/"].contains { path.hasPrefix($0) }
        guard !isOfNoFolder else { return settings }
        return Dictionary(
            uniqueKeysWithValues: settings.map { setting, text in
                let isPath = setting.isPath && !text.isEmpty
                return (setting, isPath ? AbsolutePath.of(text, inFolderOf: path) : text)
            })
    }

    /// What helps where a file cannot be read: it may hold a password, so that others are kept out of it on purpose.
    private static func hint(for refusal: SmallFile.Refusal) -> String {
        switch refusal {
        case .system(let error) where error.isDenial: ServersUser.hint("who may read it")
        default: "check --config and \(Setting.configVariable), and that the file is there and readable"
        }
    }

    /// The settings that a file's content gives.
    /// - Throws: a configuration error for what is no JSON5 object, for a key that names no setting, with the
    ///   nearest that does, for one that is there twice, and for a value that is no text, number or boolean.
    static func settings(of content: [UInt8], path: String) throws(CommandError) -> [Setting: String] {
        guard let text = String(validating: content, as: UTF8.self) else { throw notUTF8(path, content) }
        var reader = JSON5Reader(text)
        var result: [Setting: String] = [:]
        func parsing(_ read: () throws(JSON5Reader.Malformed) -> String?) throws(CommandError) -> String? {
            do { return try read() } catch { throw noObject(path, line: error.line) }
        }
        while let key = try parsing({ () throws(JSON5Reader.Malformed) in try reader.nextName() }) {
            guard let setting = Setting.allCases.first(where: { $0.key == key }) else {
                throw unknown(key, path: path)
            }
            guard result[setting] == nil else {
                throw CommandError(
                    .configuration, "\(key) is in \(Printable.text(path)) twice",
                    hint: "remove one of the two")
            }
            let value = try parsing { () throws(JSON5Reader.Malformed) in try reader.value() }
            guard let value else {
                throw CommandError(
                    .configuration, "\(key) in \(Printable.text(path)) is no text, number or boolean",
                    hint: "write \(key): \"…\"")
            }
            // A file's name would end there.
            guard !value.utf8.contains(0) else {
                throw CommandError(
                    .configuration, "\(key) in \(Printable.text(path)) holds the character U+0000",
                    hint: "remove it")
            }
            result[setting] = value
        }
        return result
    }

    private static func notUTF8(_ path: String, _ content: [UInt8]) -> CommandError {
        let lines = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let line = (lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0) + 1
        return CommandError(
            .configuration, "\(Printable.text(path)) is no UTF-8: look at line \(line)",
            hint: "write the file in UTF-8")
    }

    private static func noObject(_ path: String, line: Int?) -> CommandError {
        CommandError(
            .configuration,
            "\(Printable.text(path)) holds no JSON5 object"
                + (line.map { ": look at line \($0) and at the end of the one before" } ?? ""),
            hint: "write for example { listen: \"127.0.0.1:8083\", threads: 2 }")
    }

    private static func unknown(_ key: String, path: String) -> CommandError {
        let hint = NearestName.hint(
            for: key, among: Setting.allCases.map(\.key),
            otherwise: "remove it: authserver serve --help lists the keys")
        return CommandError(
            .configuration, "unknown key \(Printable.quoted(key)) in \(Printable.text(path))", hint: hint)
    }
}
