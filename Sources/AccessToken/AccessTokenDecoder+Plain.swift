internal import JOSE
internal import OAuth

extension AccessTokenDecoder {
    /// The claims where they are written plainly and in order; nil where the strict way must decide.
    @inline(__always)  // What it returns is some 150 bytes, which are not copied then.
    static func plainClaims(_ payload: Span<UInt8>, _ known: KnownToken?) -> ReadClaims? {
        guard payload.count <= CompactJWS.defaultMaximumBytes, var json = PlainJSON(payload) else {
            return nil
        }
        var plain = PlainClaims()
        guard plain.read(&json) else { return nil }
        let isKnown = known?.says(
            issuer: json[plain.issuer], audience: json[plain.audience], scope: json[plain.scope])
        guard let issuer = isKnown?.issuer == true ? known?.issuer : text(json[plain.issuer]),
            let audience = isKnown?.audience == true
                ? known?.onlyAudience : audience(json[plain.audience]),
            let scopes = isKnown?.scope == true
                ? known?.scopes : try? Scopes(value: json[plain.scope]),
            let clientID = text(json[plain.clientID]).flatMap({ try? ClientID(printable: $0) }),
            let tokenID = try? TokenID(printable: json[plain.tokenID])
        else { return nil }
        var otherSubject: String?
        if !json[plain.subject].isExactly(json[plain.clientID]) {
            otherSubject = text(json[plain.subject])
            guard otherSubject != nil else { return nil }
        }
        return ReadClaims(
            claims: AccessTokenClaims(
                issuer: issuer, audience: audience, clientID: clientID, issuedAt: plain.issuedAt,
                expiresAt: plain.expiresAt, tokenID: tokenID, scopes: scopes),
            otherSubject: otherSubject, expiresAt: Double(plain.expiresAt),
            notBefore: plain.notBefore.map(Double.init))
    }

    /// A text that is not empty.
    private static func text(_ bytes: Span<UInt8>) -> String? {
        guard !bytes.isEmpty, let text = try? UTF8Span(validating: bytes) else { return nil }
        return String(copying: text)
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
