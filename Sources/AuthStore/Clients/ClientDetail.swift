public import OAuth

/// All that the registry tells an administrator of a client.
public struct ClientDetail: Sendable, Hashable {
    /// Its identifier.
    public let id: ClientID
    /// A name for people.
    public let name: String
    /// Seconds that its tokens live.
    public let tokenLifetime: Int64
    /// The only way in which it may send its secret; nil for either.
    public let authenticationMethod: ClientAuthenticationMethod?
    /// When it was added.
    public let createdAt: Milliseconds
    /// When it, its secrets or its grants changed last.
    public let updatedAt: Milliseconds
    /// Since when it gets no tokens; nil while it does.
    public let disabledAt: Milliseconds?
    /// Tokens issued up to this moment are inactive; nil for no such moment.
    public let tokensRevokedAt: Milliseconds?
    /// Its secrets, oldest first, also those that ended and were not forgotten yet.
    public let secrets: [SecretDetail]
    /// What it may do, by resource.
    public let grants: [ResourceID: Scopes]
    /// The resources whose tokens it may introspect.
    public let ownedResources: [ResourceID]
}

/// What is told of a secret: never the secret, nor its hash.
public struct SecretDetail: Sendable, Hashable {
    /// A short name for it.
    public let id: String
    /// How it is stored.
    public let kind: SecretVerifier.Kind
    /// When it was added.
    public let createdAt: Milliseconds
    /// From when on it is good.
    public let notBefore: Milliseconds
    /// From when on it is good no more; nil for never.
    public let expiresAt: Milliseconds?

    /// Whether it is good at a moment.
    public func isValid(at now: Milliseconds) -> Bool {
        notBefore <= now && (expiresAt.map { now < $0 } ?? true)
    }
}
