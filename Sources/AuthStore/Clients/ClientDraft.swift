public import OAuth

/// What a new client is to be.
public struct ClientDraft: Sendable, Hashable {
    /// Its identifier.
    public var id: ClientID
    /// A name for people; the identifier where nil.
    public var name: String?
    /// Seconds that its tokens live, 1 to 86,400.
    public var tokenLifetime: Int64
    /// The only way in which it may send its secret; nil for either.
    public var authenticationMethod: ClientAuthenticationMethod?

    /// The lifetimes that may be set, in seconds.
    public static let tokenLifetimes: ClosedRange<Int64> = 1...86_400
    /// The lifetime unless another is set, in seconds.
    public static let defaultTokenLifetime: Int64 = 3600

    /// A draft with defaults.
    public init(
        id: ClientID, name: String? = nil, tokenLifetime: Int64 = ClientDraft.defaultTokenLifetime,
        authenticationMethod: ClientAuthenticationMethod? = nil
    ) {
        self.id = id
        self.name = name
        self.tokenLifetime = tokenLifetime
        self.authenticationMethod = authenticationMethod
    }
}
