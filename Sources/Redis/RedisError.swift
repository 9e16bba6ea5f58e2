/// Why a command has no reply. Holds no password and nothing of a command.
public enum RedisError: Error, Sendable, Hashable, CustomStringConvertible {
    /// There is no connection; the text says why, as far as it is known.
    case unavailable(String)
    /// No reply before the deadline: whether the server did it is not known.
    case timedOut
    /// Too many commands wait: the server was not asked.
    case overloaded
    /// The server refused the command, or the login; the text is the reply's first word, such as `OOM`.
    case refused(String)
    /// The server answered with something that is no reply, or not one to this command.
    case malformed(String)
    /// The configuration is wrong; the text says how to write it.
    case configuration(String)

    /// What is wrong, for a person.
    public var description: String {
        switch self {
        case .unavailable(let reason): "Redis cannot be reached: \(reason)"
        case .timedOut: "Redis did not answer in time"
        case .overloaded: "too many commands wait for Redis"
        case .refused(let word): "Redis refused the command: \(word)"
        case .malformed(let what): "Redis sent something unexpected: \(what)"
        case .configuration(let fix): fix
        }
    }
}
