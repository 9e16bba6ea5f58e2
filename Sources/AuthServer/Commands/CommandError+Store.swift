internal import AuthStore
internal import OAuth

extension CommandError {
    /// What the registry refused. Its own messages name the fix after a colon: that becomes the hint.
    /// - Parameter masterKeyFile: the flag that names the master key which keys are encrypted with.
    init(_ error: StoreError, masterKeyFile: Flag = Setting.masterKeyFile.flag) {
        if let cause = error.cause {
            self.init(
                Self.codes[error.code] ?? .failed, "SQLite refused it: \(cause.text) (code \(cause.code))",
                hint: cause.advice ?? Self.damaged)
            return
        }
        let parts = error.message.split(separator: ": ", maxSplits: 1).map(String.init)
        let isOurs = Self.explained.contains(error.code) && parts.count == 2
        self.init(
            Self.codes[error.code] ?? .failed, isOurs ? parts[0] : error.message,
            hint: isOurs ? Self.hint(parts[1], error.code, masterKeyFile) : nil)
    }

    /// The registry, which is a library, knows no flag.
    private static func hint(_ text: String, _ code: StoreError.Code, _ masterKeyFile: Flag) -> String {
        let file = "name the master key file"
        guard code == .masterKey, text.hasPrefix(file) else { return text }
        return file + " (\(masterKeyFile.spelling) FILE)" + text.dropFirst(file.count)
    }

    private static let damaged =
        "the database is not as this version made it: restore it from a backup, or name another file"
    private static let explained: Set<StoreError.Code> = [
        .notFound, .alreadyExists, .invalid, .notMigrated, .incompatible, .masterKey,
    ]
    private static let codes: [StoreError.Code: Code] = [
        .notFound: .notFound, .alreadyExists: .alreadyExists, .invalid: .invalid, .notMigrated: .notMigrated,
        .masterKey: .configuration, .busy: .unavailable,
    ]
}

/// Runs what the registry may refuse, and says that as the command's error.
@discardableResult
func storing<Result>(_ body: () throws(StoreError) -> Result) throws(CommandError) -> Result {
    do { return try body() } catch { throw CommandError(error) }
}

/// Reads a word of the vocabulary, and says what is wrong with it as a usage error.
func reading<Word>(
    _ text: String, as name: String, _ parse: (String) throws(VocabularyError) -> Word
) throws(CommandError) -> Word {
    do { return try parse(text) } catch {
        throw .usage("\(Printable.quoted(text)) is no \(name)", hint: error.description)
    }
}
