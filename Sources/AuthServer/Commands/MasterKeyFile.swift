internal import AuthStore
internal import OperatingSystem

/// The file of the master key, with errors for a person who may have misspelt it or not made it yet.
enum MasterKeyFile {
    /// Reads it.
    /// - Parameter mayBeNew: whether one that is not there may just have to be made.
    static func read(_ path: String, mayBeNew: Bool = true) throws(CommandError) -> MasterKey {
        do throws(MasterKey.FileRefusal) {
            return try MasterKey(readFrom: path)
        } catch {
            throw CommandError(
                .configuration, error.message(path), hint: hint(for: error, path, mayBeNew: mayBeNew))
        }
    }

    private static func hint(
        for refusal: MasterKey.FileRefusal, _ path: String, mayBeNew: Bool
    ) -> String? {
        switch refusal {
        case .unreadable(.folder): return "name the file in it"
        case .unreadable(.system(let error)) where error.isDenial:
            return ServersUser.hint("to whom the file has to belong")
        case .unreadable:
            let make =
                "; only where no key was encrypted with one yet, make one: "
                + "(umask 077; openssl rand -hex 32 >\(ShellWord.quoted(path)))"
            return "restore the file, or name it where it is" + (mayBeNew ? make : "")
        case .exposed, .noKey: return refusal.remedy(ShellWord.quoted(path))
        }
    }
}
