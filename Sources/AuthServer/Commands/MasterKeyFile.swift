internal import AuthStore
internal import Glibc
internal import OperatingSystem

/// The file of the master key, with errors for a person who may have misspelt it or not made it yet.
enum MasterKeyFile {
    /// Reads it.
    /// - Parameter mayBeNew: whether one that is not there may just have to be made.
    static func read(_ path: String, mayBeNew: Bool = true) throws(CommandError) -> MasterKey {
        do throws(StoreError) {
            return try MasterKey(file: path)
        } catch {
            if error.message == "the master key file \(path) \(SmallFile.Refusal.folder)" {
                throw CommandError(.configuration, error.message, hint: "name the file in it")
            }
            if error.message.hasSuffix(": run chmod 600 \(path)") {
                let what = error.message.dropLast(": run chmod 600 \(path)".count)
                throw CommandError(
                    .configuration, String(what), hint: "run chmod 600 \(ShellWord.quoted(path))")
            }
            let isUnreadable = error.message.hasPrefix("the master key file \(path) cannot be read: ")
            guard isUnreadable else { throw CommandError(error) }
            throw CommandError(
                .configuration, error.message, hint: hint(for: path, mayBeNew: mayBeNew))
        }
    }

    private static func hint(for path: String, mayBeNew: Bool) -> String {
        if access(path, R_OK) != 0, errno == EACCES {
            return "it has to belong to the user that runs the server, and commands are run as that user: "
                + "sudo -u authserver authserver …"
        }
        let make =
            "where there is none yet, make one: (umask 077; openssl rand -hex 32 >\(ShellWord.quoted(path)))"
        return "check the path" + (mayBeNew ? "; " + make : "")
    }
}
