/// What a reader of the registry says about its file, once for each occurrence.
public enum RegistryTrouble: Sendable, Hashable, CustomStringConvertible {
    /// The file cannot be read; what is known goes on being served. The text says what is wrong and what to do.
    case began(String)
    /// Signing keys cannot be decrypted; all else of the file is read. The text says which and why.
    case keysBegan(String)
    /// All of the file can be read again.
    case ended
    /// Another file was put in the place of the one that was read, and is read now.
    case replaced

    /// For the log.
    public var description: String {
        switch self {
        case .began(let reason): "the registry cannot be read, serving what is known: \(reason)"
        case .keysBegan(let reason):
            "signing keys of the registry cannot be decrypted, those that are known serve until they are retired: "
                + "\(reason.prefix { $0 != ":" }): restart with the master key that they are encrypted with, or send "
                + "SIGHUP where its file has it now"
        case .ended: "the registry can be read again"
        case .replaced: "the registry file was replaced, reading the new one"
        }
    }
}
