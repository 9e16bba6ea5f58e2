public import OAuth

/// A client as the token endpoint needs it: immutable, made once for each change of the registry and shared by
/// all requests.
public final class RegisteredClient: Sendable {
    /// Its identifier.
    public let id: ClientID
    /// Whether it gets no tokens.
    public let isDisabled: Bool
    /// Tokens issued up to this moment are inactive; nil for no such moment.
    public let tokensRevokedAtMilliseconds: Milliseconds?
    /// Seconds that its tokens live.
    public let tokenLifetime: Int64
    /// The only way in which it may send its secret; nil for either.
    public let authenticationMethod: ClientAuthenticationMethod?
    /// Its secrets, of which each is good for a time.
    public let secrets: [ClientSecret]
    /// What it may do, by resource: ready for `GrantPolicy`.
    public let grants: [ResourceID: Scopes]
    /// The resources whose tokens it may introspect.
    public let ownedResources: [ResourceID]

    /// A client with all its parts.
    public init(
        id: ClientID, isDisabled: Bool = false, tokensRevokedAtMilliseconds: Milliseconds? = nil,
        tokenLifetime: Int64 = ClientDraft.defaultTokenLifetime,
        authenticationMethod: ClientAuthenticationMethod? = nil, secrets: [ClientSecret] = [],
        grants: [ResourceID: Scopes] = [:], ownedResources: [ResourceID] = []
    ) {
        self.id = id
        self.isDisabled = isDisabled
        self.tokensRevokedAtMilliseconds = tokensRevokedAtMilliseconds
        self.tokenLifetime = tokenLifetime
        self.authenticationMethod = authenticationMethod
        self.secrets = secrets
        self.grants = grants
        self.ownedResources = ownedResources
    }
}

/// A client's secret, as it is verified.
public struct ClientSecret: Sendable, Hashable {
    /// A short name for it, never used twice.
    public let id: String
    /// Recognizes it.
    public let verifier: SecretVerifier
    /// From when on it is good.
    public let notBefore: Milliseconds
    /// From when on it is good no more; nil for never.
    public let expiresAt: Milliseconds?

    /// A secret with its time.
    public init(id: String, verifier: SecretVerifier, notBefore: Milliseconds, expiresAt: Milliseconds?) {
        self.id = id
        self.verifier = verifier
        self.notBefore = notBefore
        self.expiresAt = expiresAt
    }

    /// Whether it is good at a moment.
    public func isValid(at now: Milliseconds) -> Bool {
        notBefore <= now && !hasEnded(at: now)
    }

    /// Whether it was good once and is no more.
    public func hasEnded(at now: Milliseconds) -> Bool {
        expiresAt.map { $0 <= now } ?? false
    }
}
