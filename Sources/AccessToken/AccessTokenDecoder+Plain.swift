internal import JOSE
internal import OAuth

extension AccessTokenDecoder {
    /// The claims where they are written plainly and in order; nil where the strict way must decide.
    static func plainClaims(_ payload: Span<UInt8>, _ expected: ExpectedClaims?) -> ReadClaims? {
        guard payload.count <= CompactJWS.defaultMaximumBytes, var json = PlainJSON(payload) else {
            return nil
        }
        var plain = PlainClaims()
        guard plain.read(&json),
            let issuer = issuer(json[plain.issuer], expected), let subject = text(json[plain.subject]),
            let clientID = clientID(json[plain.clientID], subject),
            let audience = audience(json[plain.audience], expected),
            let tokenID = text(json[plain.tokenID]).flatMap({ try? TokenID(claim: $0) }),
            let scopes = scopes(json[plain.scope], expected)
        else { return nil }
        return ReadClaims(
            claims: AccessTokenClaims(
                issuer: issuer, audience: audience, clientID: clientID, issuedAt: plain.issuedAt,
                expiresAt: plain.expiresAt, tokenID: tokenID, scopes: scopes),
            subject: subject, expiresAt: Double(plain.expiresAt),
            notBefore: plain.notBefore.map(Double.init))
    }

    /// A text that is not empty.
    private static func text(_ bytes: Span<UInt8>) -> String? {
        guard !bytes.isEmpty, let text = try? UTF8Span(validating: bytes) else { return nil }
        return String(copying: text)
    }

    private static func issuer(_ bytes: Span<UInt8>, _ expected: ExpectedClaims?) -> String? {
        if let issuer = expected?.issuer, bytes.isExactly(issuer.utf8.span) { return issuer }
        return text(bytes)
    }

    /// In most tokens it is the subject.
    private static func clientID(_ bytes: Span<UInt8>, _ subject: String) -> ClientID? {
        guard let text = bytes.isExactly(subject.utf8.span) ? subject : text(bytes) else { return nil }
        return try? ClientID(text)
    }

    private static func scopes(_ bytes: Span<UInt8>, _ expected: ExpectedClaims?) -> Scopes? {
        if let expected, bytes.isExactly(expected.scopeText.utf8.span) { return expected.scopes }
        return try? Scopes(parsing: bytes)
    }

    /// What is no resource identifier of this product is left out.
    private static func audience(_ value: Span<UInt8>, _ expected: ExpectedClaims?) -> [ResourceID]? {
        if let expected, value.isExactly(expected.audienceText.utf8.span) { return expected.onlyAudience }
        guard var json = PlainJSON(value) else { return nil }
        let isArray = json.skip(UInt8(ascii: "["))
        var resources: [ResourceID] = []
        repeat {
            guard let range = json.text() else { return nil }
            if let text = text(json[range]), let resource = try? ResourceID(text) {
                resources.append(resource)
            }
        } while isArray && json.skip(UInt8(ascii: ","))
        return resources
    }
}
