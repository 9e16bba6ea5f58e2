import AuthStore
import OAuth

/// When a token is issued, beside the moment up to which its client's tokens have ended.
struct IssueTime {
    /// What `iat` tells, in milliseconds: a little ahead where the clock was a little behind when the client's tokens
    /// were ended, so that whoever compares the two sees the order in which they came.
    let told: Milliseconds
    /// From when on it counts, in milliseconds: a client's tokens that counted earlier end with a revocation.
    let counted: Milliseconds

    /// - Parameters:
    ///   - now: the moment.
    ///   - known: the moment up to which the registry is known that the decision rests on: what was changed later ends
    ///     this token too.
    ///   - ended: the moment up to which the client's tokens have ended. It is before this token, also if it is the
    ///     same millisecond, or the clock was set back since.
    init(now: Milliseconds, asOf known: Milliseconds, ended: Milliseconds?) {
        counted = max(min(now, known), (ended ?? .min) &+ 1)
        guard let ended, (now...now + 60_000).contains(ended) else {
            told = now
            return
        }
        told = ended + 1000
    }
}
