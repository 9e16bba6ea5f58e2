public import JOSE
public import OAuth

/// What the token before said in its header and some claims. It changes nothing but how fast the next one is read: what
/// is the same is taken from here, and not made anew.
public final class KnownToken: Sendable {
    /// Its header.
    public let header: CompactJWS.KnownHeader
    let issuer: String
    /// `aud` of a token for this audience alone.
    let onlyAudience: [ResourceID]
    let scopes: Scopes
    /// `iss`, `aud` in JSON and `scope` as they stand in a payload, one after the other: a resource identifier needs no
    /// escapes. In one piece of memory, so that it is retained once.
    private let texts: [UInt8]
    private let audienceStart: Int
    private let scopeStart: Int

    /// A token of this issuer for one audience, which grants these scopes.
    public init(header: CompactJWS.KnownHeader, issuer: String, audience: ResourceID, scopes: Scopes) {
        self.header = header
        self.issuer = issuer
        onlyAudience = [audience]
        self.scopes = scopes
        texts = Array("\(issuer)\"\(audience.value)\"\(scopes)".utf8)
        audienceStart = issuer.utf8.count
        scopeStart = audienceStart + audience.value.utf8.count + 2
    }

    /// Which of these texts are its own.
    func says(
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
