import OAuth

/// `client_secret_basic` (RFC 6749 §2.3.1): the id and the secret, each form-encoded, in HTTP Basic.
enum ClientSecretBasic {
    /// The longest header value that is looked at.
    static let maximumBytes = 8 * 1024

    /// Reads an `Authorization` value.
    ///
    /// Clients that forget the form-encoding are many, so there is a second reading: the raw one, where it
    /// differs. Both count as one attempt.
    /// - Returns: no reading where the value is malformed or of another scheme.
    static func read(_ authorization: String) -> PresentedCredentials {
        PresentedCredentials(method: .basic, readings: readings(of: authorization))
    }

    /// Whether a value has the scheme of tokens instead: a usual mistake of those who call introspection.
    static func isBearer(_ authorization: String) -> Bool {
        let scheme = authorization.utf8.prefix { $0 != 0x20 }
        return scheme.count == 6 && zip(scheme, "bearer".utf8).allSatisfy { $0 | 0x20 == $1 }
    }

    private static func readings(of authorization: String) -> [PresentedCredentials.Reading] {
        guard let pair = userPass(of: authorization), let colon = pair.firstIndex(of: UInt8(ascii: ":"))
        else {
            return []
        }
        let id = pair[..<colon]
        let secret = pair[(colon + 1)...]
        // Nothing is encoded: there is but one reading.
        if pair.allSatisfy(FormEncoding.isPlain) {
            let reading = reading(id: String(validating: id, as: UTF8.self), secret: Array(secret))
            return reading.map { [$0] } ?? []
        }
        let encoded = reading(
            id: FormEncoding.decode(id.span), secret: FormEncoding.decode(secret.span).map { Array($0.utf8) })
        let raw = reading(
            id: String(validating: id, as: UTF8.self),
            secret: String(validating: secret, as: UTF8.self).map { Array($0.utf8) })
        return [encoded, raw == encoded ? nil : raw].compactMap { $0 }
    }

    /// The bytes inside the base64 of `Basic`, whose name has no case (RFC 7617 §2, RFC 9110 §11.1).
    private static func userPass(of authorization: String) -> [UInt8]? {
        let text = authorization.utf8.span
        guard text.count > 6, text.count <= maximumBytes, hasScheme(text) else { return nil }
        var start = 6
        while start < text.count, text[start] == 0x20 { start += 1 }
        guard let pair = Base64.decode(text.extracting(start...)), !pair.contains(0) else { return nil }
        return pair
    }

    private static func hasScheme(_ text: Span<UInt8>) -> Bool {
        let scheme: StaticString = "basic "
        return scheme.withUTF8Buffer { scheme in
            scheme.indices.allSatisfy { text[$0] | 0x20 == scheme[$0] }
        }
    }

    private static func reading(id: String?, secret: [UInt8]?) -> PresentedCredentials.Reading? {
        guard let id, let secret, let clientID = try? ClientID(id) else { return nil }
        return PresentedCredentials.Reading(clientID: clientID, secret: secret)
    }
}
