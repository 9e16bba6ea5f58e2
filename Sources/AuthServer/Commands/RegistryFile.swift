internal import AuthStore
internal import Glibc
internal import OperatingSystem

/// The file of the registry, with errors for a person who may have named another one or may not read it.
enum RegistryFile {
    /// Whether there is one.
    /// - Throws: when its folder may not be looked into, which is another thing than a missing file.
    static func isThere(_ path: String) throws(CommandError) -> Bool {
        if access(path, F_OK) == 0 { return true }
        let reason = SystemError.last
        guard reason.isDenial else { return false }
        throw unusable(path, reason.description, hint: asServersUser)
    }

    /// Opens it.
    static func open(
        _ path: String, mode: Registry.Mode, masterKey: MasterKey? = nil, by administrator: String? = nil
    ) throws(CommandError) -> Registry {
        try check(path, mode)
        return try using(path) { () throws(StoreError) in
            try Registry(path: path, mode: mode, masterKey: masterKey, by: administrator)
        }
    }

    /// Does the first that is done with it, and names the file where SQLite refuses that.
    static func using<Result>(
        _ path: String, _ body: () throws(StoreError) -> Result
    ) throws(CommandError) -> Result {
        do throws(StoreError) {
            return try body()
        } catch {
            guard let cause = error.cause else { throw CommandError(error) }
            let refusal = CommandError(error)
            let prefix = path + ": "
            let reason =
                cause.text.hasPrefix(prefix) ? String(cause.text.dropFirst(prefix.count)) : cause.text
            throw unusable(
                path, reason, refusal.code, hint: cause.isDenial ? asServersUser : refusal.hint)
        }
    }

    /// Refuses what can be no database, or may not be changed, in words of its own: SQLite has the same for many.
    static func check(_ path: String, _ mode: Registry.Mode) throws(CommandError) {
        var status = stat()
        guard stat(path, &status) == 0 else { return try checkFolder(of: path) }
        let whole = AbsolutePath.of(path)
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR:
            throw CommandError(
                .failed, "\(whole) is a folder, and no database file",
                hint: "name a file in it: "
                    + ShellWord.flag(Setting.database.flag, AbsolutePath.join(whole, "authserver.db")))
        default:
            throw CommandError(.failed, "\(whole) is no regular file", hint: "name a database file")
        }
        let isAllowed = access(path, mode == .readOnly ? R_OK : R_OK | W_OK) == 0
        let reason = SystemError.last
        guard isAllowed else { throw unusable(path, reason.description, hint: asServersUser) }
    }

    /// What is to be said of a file that this user made in another one's folder: that one may not use it. A folder of
    /// root may be anybody's.
    static func misplacement(
        _ path: String, of file: ProcessUser.User?, in folder: ProcessUser.User?, by acting: ProcessUser.User
    ) -> String? {
        guard let file, let folder, file.id == acting.id, folder.id != acting.id, folder.id != 0 else {
            return nil
        }
        let whole = AbsolutePath.of(path)
        // With the colon the user's group too, which is known by the name alone.
        let owner = folder.name.map { "\($0):" } ?? "\(folder.id)"
        return
            "the database \(whole) belongs to \(file), and its folder to \(folder), who may not use it: where the "
            + "server runs as that user, run: chown \(owner) \(ShellWord.quoted(whole))"
    }

    private static func checkFolder(of path: String) throws(CommandError) {
        let whole = AbsolutePath.of(path)
        if let target = Path.target(ofLink: path) {
            throw CommandError(
                .failed, "the database \(whole) is a symbolic link to \(target), which is not there",
                hint:
                    "name the file itself with --database or \(Setting.database.variable), or remove the link"
            )
        }
        let folder = AbsolutePath.folder(of: whole)
        if !path.hasPrefix("/"), Path.isCurrentFolderRemoved() {
            throw missing(whole, "the current folder was removed")
        }
        guard access(folder, W_OK) != 0 else { return }
        let reason = SystemError.last
        guard reason.code == ENOENT else {
            throw unusable(path, reason.description, hint: asServersUser)
        }
        throw missing(whole, "there is no folder \(folder)")
    }

    private static func missing(_ path: String, _ reason: String) -> CommandError {
        CommandError(
            .failed, "the database \(path) cannot be made: \(reason)",
            hint: "make the folder, or name another file with --database or \(Setting.database.variable)")
    }

    private static func unusable(
        _ path: String, _ reason: String, _ code: CommandError.Code = .failed, hint: String?
    ) -> CommandError {
        CommandError(code, "the database \(AbsolutePath.of(path)) cannot be used: \(reason)", hint: hint)
    }

    /// What helps where the system refuses: SQLite keeps files of its own beside the database, also to read it.
    private static let asServersUser = ServersUser.hint("to whom the file and its folder belong")
}
