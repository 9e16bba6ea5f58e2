/// What a reader of the registry says about its file, once for each occurrence.
public enum RegistryTrouble: Sendable, Hashable, CustomStringConvertible {
    /// The file cannot be read; what is known goes on being served. The text says what is wrong and what to do.
    case began(String)
    /// The file can be read again.
    case ended
    /// Another file was put in the place of the one that was read, and is read now.
    case replaced

    /// For the log.
    public var description: String {
        switch self {
        case .began(let reason): "the registry cannot be read, serving what is known: \(reason)"
        case .ended: "the registry can be read again"
        case .replaced: "the registry file was replaced, reading the new one"
        }
    }
}
