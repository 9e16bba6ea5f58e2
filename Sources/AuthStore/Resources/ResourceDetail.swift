public import OAuth

/// All that the registry tells an administrator of a resource.
public struct ResourceDetail: Sendable, Hashable {
    /// Its identifier: an `aud` value.
    public let id: ResourceID
    /// The scopes that can be granted there.
    public let scopes: Scopes
    /// The client that may introspect tokens meant for it.
    public let owner: ClientID?
    /// When it was added.
    public let createdAt: Milliseconds
    /// Who may do what there.
    public let grants: [ClientID: Scopes]
}
