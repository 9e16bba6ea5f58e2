/// What the registry notes of the server that was started last, for commands that were not told of it.
///
/// Several servers of one registry have their issuer and their max-age in common, so the last note counts, whoever
/// made it. That a guard may still keep a key set by a longer max-age of before is part of the note.
public struct ServerRecord: Sendable, Hashable {
    /// The `iss` of its tokens.
    public let issuer: String
    /// The `max-age` of its key set, in seconds.
    public let jwksMaxAge: Int64
    /// Until when a key set may be kept that was fetched while the max-age was longer.
    let keptUntil: Milliseconds

    init(issuer: String, jwksMaxAge: Int64, keptUntil: Milliseconds = 0) {
        self.issuer = issuer
        self.jwksMaxAge = jwksMaxAge
        self.keptUntil = keptUntil
    }

    /// For how many seconds from a moment on somebody may keep a key set that was fetched before it.
    public func secondsKept(at now: Milliseconds) -> Int64 {
        max(jwksMaxAge, (keptUntil - now + 999) / 1000)
    }

    /// The note of a server that serves with other settings from a moment on.
    func followed(byIssuer issuer: String, jwksMaxAge: Int64, at now: Milliseconds) -> ServerRecord {
        let kept = jwksMaxAge < self.jwksMaxAge ? now + self.jwksMaxAge * 1000 : 0
        return ServerRecord(issuer: issuer, jwksMaxAge: jwksMaxAge, keptUntil: max(keptUntil, kept))
    }
}
