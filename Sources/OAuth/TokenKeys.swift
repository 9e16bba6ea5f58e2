/// The names under which a shared token store in Redis keeps tokens and revocations: written by the
/// authorization server, read by it and by every resource guard that checks the store.
///
/// | key | value | ends |
/// | --- | --- | --- |
/// | `<prefix>t:<jti>` | when the token was issued, in milliseconds since 1970 | with the token |
/// | `<prefix>r:<client id>` | the moment up to which the client's tokens are revoked, in milliseconds | with the last of them |
/// | `<prefix>f:<0 to 65535>` | a hash that says whose failed authentications are counted there | when they no longer count: two minutes at most |
///
/// A token is active if, and only if, its key exists and its value is greater than that of its client's
/// revocation, so one `MGET` of both keys decides.
public struct TokenKeys: Sendable, Hashable {
    /// What all names begin with, so that several servers may share one database.
    public let prefix: String

    /// The prefix used unless another is configured. Short: up to 30 bytes of name cost Redis 8 bytes a token less.
    public static let defaultPrefix = "auth:"

    /// Names that begin with `prefix`.
    public init(prefix: String = TokenKeys.defaultPrefix) {
        self.prefix = prefix
    }

    /// The key of an issued token.
    public func token(_ id: TokenID) -> String { tokenPrefix + id.value }

    /// What the keys of issued tokens begin with; the token's id follows.
    package var tokenPrefix: String { "\(prefix)t:" }

    /// What the keys of revocations begin with; the client's id follows.
    package var revocationPrefix: String { "\(prefix)r:" }

    /// The key of a client's revocation.
    public func revocation(of client: ClientID) -> String { revocationPrefix + client.value }

    /// The key of the failed authentications that are counted in one of 65,536 places.
    public func failures(in place: Int) -> String { "\(prefix)f:\(place)" }

    /// Whether a token is active, from the two values that the store holds.
    /// - Parameters:
    ///   - issuedAt: the value of the token's key; nil when there is no such key.
    ///   - revokedAt: the value of its client's revocation; nil when there is none.
    public static func isActive(issuedAt: Int64?, revokedAt: Int64?) -> Bool {
        guard let issuedAt else { return false }
        guard let revokedAt else { return true }
        return issuedAt > revokedAt
    }
}
