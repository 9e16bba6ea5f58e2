internal import AuthStore
internal import Glibc

/// The file of the registry, with errors for a person who may have named another one or may not read it.
enum RegistryFile {
    /// Whether there is one.
    /// - Throws: when its folder may not be looked into, which is another thing than a missing file.
    static func isThere(_ path: String) throws(CommandError) -> Bool {
        if access(path, F_OK) == 0 { return true }
        guard errno == EACCES else { return false }
        throw unusable(path, String(cString: strerror(errno)))
    }

    /// Opens it.
    static func open(
        _ path: String, mode: Registry.Mode, masterKey: MasterKey? = nil
    ) throws(CommandError) -> Registry {
        do throws(StoreError) {
            return try Registry(path: path, mode: mode, masterKey: masterKey)
        } catch {
            guard [.io, .readOnly].contains(error.code) else { throw CommandError(error) }
            throw unusable(path, error.message)
        }
    }

    private static func unusable(_ path: String, _ reason: String) -> CommandError {
        CommandError(
            .failed, "the database \(AbsolutePath.of(path)) cannot be opened: \(reason)",
            hint: "name it with --database FILE, and run the command as the server's user: "
                + "sudo -u authserver authserver …")
    }
}
