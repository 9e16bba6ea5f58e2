internal import JOSE
public import OAuth

/// What most tokens say in some claims. It changes nothing but how fast such a token is read: a text that is expected
/// is taken from here, and not made anew.
public final class ExpectedClaims: Sendable {
    let issuer: String
    /// `aud` of a token for this audience alone.
    let onlyAudience: [ResourceID]
    let scopes: Scopes
    /// `iss`, `aud` in JSON and `scope` as they stand in a payload, one after the other: a resource identifier needs no
    /// escapes. In one piece of memory, so that it is retained once.
    private let texts: [UInt8]
    private let audienceStart: Int
    private let scopeStart: Int

    /// The claims of tokens of one issuer for one audience, most of which grant these scopes.
    public init(issuer: String, audience: ResourceID, scopes: Scopes) {
        self.issuer = issuer
        onlyAudience = [audience]
        self.scopes = scopes
        texts = Array("\(issuer)\"\(audience.value)\"\(scopes)".utf8)
        audienceStart = issuer.utf8.count
        scopeStart = audienceStart + audience.value.utf8.count + 2
    }

    /// Which of these texts are the expected ones.
    func areExpected(
        issuer: Span<UInt8>, audience: Span<UInt8>, scope: Span<UInt8>
    ) -> (issuer: Bool, audience: Bool, scope: Bool) {
        let texts = texts
        let span = texts.span
        return (
            issuer.isExactly(span.extracting(0..<audienceStart)),
            audience.isExactly(span.extracting(audienceStart..<scopeStart)),
            scope.isExactly(span.extracting(droppingFirst: scopeStart))
        )
    }
}
