public import OAuth

/// What most tokens say in some claims. It changes nothing but how fast such a token is read: a text that is expected
/// is taken from here, and not made anew.
public final class ExpectedClaims: Sendable {
    let issuer: String
    /// `aud` of a token for this audience alone.
    let onlyAudience: [ResourceID]
    /// The same in JSON: a resource identifier needs no escapes.
    let audienceText: String
    let scopes: Scopes
    let scopeText: String

    /// The claims of tokens of one issuer for one audience, most of which grant these scopes.
    public init(issuer: String, audience: ResourceID, scopes: Scopes) {
        self.issuer = issuer
        onlyAudience = [audience]
        audienceText = "\"\(audience.value)\""
        self.scopes = scopes
        scopeText = scopes.description
    }
}
