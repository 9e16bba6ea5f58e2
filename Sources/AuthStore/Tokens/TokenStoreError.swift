/// Why a token store could not do what was asked; none of them says anything about a token.
public enum TokenStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The store cannot be reached, read or written; the text is for the log and holds no secret.
    case unavailable(String)
    /// No answer before the deadline; whether the store did it is not known.
    case timedOut
    /// Too much is waiting already: the store was not asked.
    case overloaded

    /// What is wrong, for the log.
    public var description: String {
        switch self {
        case .unavailable(let reason): "the token store is unavailable: \(reason)"
        case .timedOut: "the token store did not answer in time"
        case .overloaded: "too many requests wait for the token store"
        }
    }
}
