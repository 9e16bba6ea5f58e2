import AuthStore
import OAuth

/// What one thread serves with: its own view of the registry, its own connection to the token store, its own
/// signing contexts. Nothing in it is shared with another thread, so that no request takes a lock.
///
/// Confined to its event loop.
final class Worker {
    /// `iss` of the tokens.
    let issuer: Issuer
    /// The registry, as this thread reads it.
    let registry: RegistryReader
    /// The token store.
    let tokens: any TokenStore
    /// Now, in milliseconds since 1970.
    let clock: @Sendable () -> Milliseconds
    /// The signing keys in their ready forms.
    let keys: WorkerKeys
    /// The tokens that were verified lately.
    let verifiedTokens = VerifiedTokenCache()
    /// The checks of brought secrets, and which were right.
    let secretChecks: SecretChecks
    /// What slows guesses down; nil where failures are not counted.
    let throttle: ClientThrottle?

    /// A worker with all its parts.
    init(
        issuer: Issuer, registry: RegistryReader, tokens: any TokenStore, secretChecks: SecretChecks,
        throttle: ClientThrottle?, jwksMaxAge: Int64,
        clock: @escaping @Sendable () -> Milliseconds = WallClock.now
    ) {
        self.issuer = issuer
        self.registry = registry
        self.tokens = tokens
        self.secretChecks = secretChecks
        self.throttle = throttle
        self.clock = clock
        keys = WorkerKeys(registry: registry, maxAge: jwksMaxAge)
    }
}
