/// What a token store says of a token.
public enum TokenStatus: Sendable, Hashable {
    /// Stored, not expired, not revoked, and issued after its client's last revocation.
    case active
    /// Anything else: the store does not say why.
    case inactive
}
