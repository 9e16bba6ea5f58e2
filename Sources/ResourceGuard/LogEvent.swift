/// What a guard has to say to the service's log. Holds no token, no secret and no key.
public enum LogEvent: Sendable, Equatable, CustomStringConvertible {
    /// The issuer's keys were fetched, or read.
    case keysFetched(count: Int)
    /// A key of the issuer's set is not used, and why.
    case keySkipped(reason: String)
    /// The keys could not be fetched; whether earlier ones are used on, and when the next attempt may be.
    case keysFetchFailed(reason: String, usesEarlierKeys: Bool)
    /// The store check had no answer; whether the request was let through, as configured.
    case checkFailed(reason: TokenCheckError, isLetThrough: Bool)

    /// One line for a person.
    public var description: String {
        switch self {
        case .keysFetched(1): "fetched 1 key of the issuer"
        case .keysFetched(let count): "fetched \(count) keys of the issuer"
        case .keySkipped(let reason): "a key of the issuer is not used: \(reason)"
        case .keysFetchFailed(let reason, true):
            "the issuer's keys could not be fetched, earlier ones are used on: \(reason)"
        case .keysFetchFailed(let reason, false):
            "the issuer's keys could not be fetched, tokens are refused with 503: \(reason)"
        case .checkFailed(let reason, true): "a token was let through unchecked: \(reason)"
        case .checkFailed(let reason, false): "a token was refused with 503: \(reason)"
        }
    }
}
