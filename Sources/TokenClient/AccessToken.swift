/// A token to send to one resource. Neither its description nor its reflection shows the token.
public struct AccessToken: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    /// The token itself; never to be logged.
    public let value: String
    /// What the server granted: what was asked for, or less.
    public let scopes: Scopes

    /// The value of the Authorization header (RFC 6750 §2.1).
    public var authorizationHeader: String { "Bearer " + value }

    /// Names the scopes alone.
    public var description: String { "an access token for: \(scopes)" }
    /// Shows the scopes alone.
    public var customMirror: Mirror { Mirror(self, children: ["scopes": scopes.description]) }
}
