internal import JOSE
internal import OAuth

extension AccessTokenDecoder {
    /// The claims where they are written plainly and in order; nil where the strict way must decide.
    static func plainClaims(_ payload: Span<UInt8>, _ expected: ExpectedClaims?) -> ReadClaims? {
        guard payload.count <= CompactJWS.defaultMaximumBytes, var json = PlainJSON(payload) else {
            return nil
        }
        var plain = PlainClaims()
        guard plain.read(&json) else { return nil }
        let isExpected = expected?.areExpected(
            issuer: json[plain.issuer], audience: json[plain.audience], scope: json[plain.scope])
        guard let issuer = isExpected?.issuer == true ? expected?.issuer : text(json[plain.issuer]),
            let audience = isExpected?.audience == true
                ? expected?.onlyAudience : audience(json[plain.audience]),
            let scopes = isExpected?.scope == true
                ? expected?.scopes : try? Scopes(parsing: json[plain.scope]),
            let subject = text(json[plain.subject]), let clientID = clientID(json[plain.clientID], subject),
            let tokenID = text(json[plain.tokenID]).flatMap({ try? TokenID(printable: $0) })
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

    /// In most tokens it is the subject.
    private static func clientID(_ bytes: Span<UInt8>, _ subject: String) -> ClientID? {
        guard let text = bytes.isExactly(subject.utf8.span) ? subject : text(bytes) else { return nil }
        return try? ClientID(printable: text)
    }

    /// What is no resource identifier of this product is left out.
    private static func audience(_ value: Span<UInt8>) -> [ResourceID]? {
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
