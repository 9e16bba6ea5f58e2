/// A change of the registry, or of what it administers, as it was recorded with it.
///
/// What it tells of may not be there any more, so that all is as it was written, as texts.
public struct RegistryChange: Sendable, Hashable {
    /// What can be recorded. The words stay as they are; a later version may add some.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A client was added, changed, and so on.
        case clientAdd = "client.add"
        case clientSet = "client.set"
        case clientEnable = "client.enable"
        /// Its tokens ended too.
        case clientDisable = "client.disable"
        /// Its tokens ended too; the grants and resources that it lost are told for themselves.
        case clientRemove = "client.remove"
        /// A client got scopes at a resource, or lost them.
        case grantAdd = "grant.add"
        case grantRemove = "grant.remove"
        /// A client got a secret besides those it had, one in their place, or lost one.
        case secretAdd = "secret.add"
        case secretRotate = "secret.rotate"
        case secretRemove = "secret.remove"
        case resourceAdd = "resource.add"
        case resourceRemove = "resource.remove"
        /// What can be granted at a resource.
        case scopeAdd = "scope.add"
        case scopeRemove = "scope.remove"
        /// A client owns a resource from then on, or no more.
        case ownerAdd = "owner.add"
        case ownerRemove = "owner.remove"
        /// The first signing key.
        case keyAdd = "key.add"
        case keyRotate = "key.rotate"
        case keyRetire = "key.retire"
        case keyEncrypt = "key.encrypt"
        /// A token that an administrator issued, or ended; those that clients ask for, or end, are in the server's log.
        case tokenIssue = "token.issue"
        case tokenRevoke = "token.revoke"
        /// All tokens that a client had ended.
        case tokenRevokeAll = "token.revoke-all"
        /// A server that was started notes other settings than the one before.
        case serverSet = "server.set"
        /// The database was made, or brought up to date.
        case registryMigrate = "registry.migrate"
    }

    /// Its place in the order in which changes were recorded.
    public let number: Int64
    /// When it was made, by the clock of who made it.
    public let moment: Milliseconds
    /// Who made it.
    public let who: String
    /// What was done: the word of a `Kind`, or of one that a later version recorded.
    public let what: String
    /// The client that it is about.
    public let client: String?
    /// The resource that it is about.
    public let resource: String?
    /// The `secret_id`, `kid` or `jti` of what it is about.
    public let object: String?
    /// More of it: a JSON object, such as `{"scopes":["read"]}`, or of a value that was changed
    /// `{"token_lifetime":{"from":3600,"to":900}}`. Times in it are seconds since 1970.
    public let detail: String?
}
