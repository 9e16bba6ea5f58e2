public import JOSE
internal import OAuth

/// Reads the claims of an access token strictly (RFC 9068 §2.2): `iss`, `sub`, `client_id`, `aud`, `exp`, `iat` and
/// `jti` must be there, each with its type. Nothing is verified here.
public enum AccessTokenDecoder {
    /// Reads a bearer token.
    /// - Parameters:
    ///   - known: the token before.
    /// - Throws: `AccessTokenError` when it is no JWS in compact form or not an access token.
    public static func decode(
        _ token: [UInt8], maximumBytes: Int = CompactJWS.defaultMaximumBytes,
        known: KnownToken? = nil
    ) throws(AccessTokenError) -> UnverifiedAccessToken {
        try decode(TokenText(token), maximumBytes: maximumBytes, known: known)
    }

    /// As above, without a copy of the token.
    package static func decode(
        _ token: TokenText, maximumBytes: Int = CompactJWS.defaultMaximumBytes,
        known: KnownToken? = nil
    ) throws(AccessTokenError) -> UnverifiedAccessToken {
        let jws: CompactJWS
        do { jws = try CompactJWS(parsing: token, maximumBytes: maximumBytes, known: known?.header) } catch {
            throw .notASignedToken(error)
        }
        let claims = try readClaims(of: jws, known)
        return UnverifiedAccessToken(jws: jws, claims)
    }

    /// Reads the claims of a JWS whose `typ` is `at+jwt` or `application/at+jwt` in any case (RFC 9068 §4).
    /// - Throws: `AccessTokenError` for another type, and for a claim that is missing or has the wrong form.
    public static func claims(of jws: CompactJWS) throws(AccessTokenError) -> UnverifiedAccessToken {
        UnverifiedAccessToken(jws: jws, try readClaims(of: jws, nil))
    }

    @inline(__always)
    private static func readClaims(
        of jws: CompactJWS, _ known: KnownToken?
    ) throws(AccessTokenError) -> ReadClaims {
        guard let type = jws.knownHeader.header.type, isAccessToken(type) else { throw .wrongType }
        if let claims = plainClaims(jws.payloadBytes, known) { return claims }
        return try strictClaims(jws.payloadBytes)
    }

    /// Reads claims in all their forms, by way of all JSON: what this says is what counts.
    static func strictClaims(_ payload: Span<UInt8>) throws(AccessTokenError) -> ReadClaims {
        let members = try object(payload)
        let expiresAt = try time("exp", of: members)
        let claims = AccessTokenClaims(
            issuer: try text("iss", of: members),
            audience: try audience(of: members),
            clientID: try word("client_id", of: members, ClientID.init(_:)),
            issuedAt: Int64(try time("iat", of: members).rounded(.down)),
            expiresAt: Int64(expiresAt.rounded(.down)),
            tokenID: try word("jti", of: members, TokenID.init(claim:)),
            scopes: try scopes(of: members))
        let subject = try text("sub", of: members)
        return ReadClaims(
            claims: claims, otherSubject: subject.isExactly(claims.clientID.value) ? nil : subject,
            expiresAt: expiresAt,
            notBefore: members["nbf"] == nil ? nil : try time("nbf", of: members))
    }

    private static func isAccessToken(_ type: String) -> Bool {
        if type == "at+jwt" { return true }
        // Only ASCII letters have cases here: another letter that lower-cases to one of these is another type.
        let lowerCase = type.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
        return lowerCase.elementsEqual("at+jwt".utf8) || lowerCase.elementsEqual("application/at+jwt".utf8)
    }

    private static func object(_ payload: Span<UInt8>) throws(AccessTokenError) -> JSONObject {
        do throws(JSONError) {
            if case .object(let members) = try JSON.parse(payload) { return members }
        } catch {
            throw .invalidPayload(error)
        }
        throw .invalidPayload(nil)
    }

    private static func text(_ name: String, of members: JSONObject) throws(AccessTokenError) -> String {
        guard let text = members[name]?.string, !text.isEmpty else { throw .invalidClaim(name) }
        return text
    }

    private static func word<Word>(
        _ name: String, of members: JSONObject, _ make: (String) throws(VocabularyError) -> Word
    ) throws(AccessTokenError) -> Word {
        do throws(VocabularyError) {
            if let text = members[name]?.string { return try make(text) }
        } catch {
            throw .invalidClaim(name)
        }
        throw .invalidClaim(name)
    }

    /// A NumericDate (RFC 7519 §2) that a double holds exactly to the second. A number too large for that is an
    /// error, never a token that lives for ever.
    private static func time(_ name: String, of members: JSONObject) throws(AccessTokenError) -> Double {
        let limit = Int64(1) << 53
        switch members[name] {
        case .integer(let seconds) where (-limit...limit).contains(seconds): return Double(seconds)
        case .number(let seconds) where seconds.magnitude <= Double(limit): return seconds
        default: throw .invalidClaim(name)
        }
    }

    /// `aud` (RFC 7519 §4.1.3): a string or an array of strings that is not empty. A member that cannot be a
    /// resource of ours belongs to somebody else, and matches nothing.
    private static func audience(of members: JSONObject) throws(AccessTokenError) -> [ResourceID] {
        switch members["aud"] {
        case .string(let text): return [try? ResourceID(text)].compactMap(\.self)
        case .array(let values) where !values.isEmpty:
            var resources: [ResourceID] = []
            for value in values {
                guard let text = value.string else { throw .invalidClaim("aud") }
                if let resource = try? ResourceID(text) { resources.append(resource) }
            }
            return resources
        default: throw .invalidClaim("aud")
        }
    }

    /// `scope` (RFC 9068 §2.2.3): a string; missing means none. An array is refused, not guessed at.
    private static func scopes(of members: JSONObject) throws(AccessTokenError) -> Scopes {
        guard members["scope"] != nil else { return Scopes() }
        return try word("scope", of: members, Scopes.init(value:))
    }
}
