internal import JOSE
public import OAuth
public import OpenSSLCrypto

/// Writes and signs access tokens (RFC 9068 §2) with one key. One a thread: it keeps contexts and the encoded header.
///
/// What is issued is all in `AccessTokenClaims`; there is no `nbf`, which would say nothing that `iat` does not and
/// breaks verifiers whose clock is slow.
public final class AccessTokenEncoder {
    /// The `kid` of the tokens.
    public let keyID: String
    private let signer: CompactJWSSigner

    /// An encoder for this key.
    /// - Parameter keyID: the `kid`; by default the thumbprint of the key (RFC 7638).
    /// - Throws: `CryptoError` when OpenSSL has no memory or not the algorithm.
    public init(key: PrivateKey, keyID: String? = nil) throws(CryptoError) {
        self.keyID = keyID ?? JWK.thumbprint(of: key.publicKey)
        signer = try CompactJWSSigner(key: key, keyID: self.keyID, type: "at+jwt")
    }

    /// The token in compact form, as ASCII.
    ///
    /// `aud` is a string for one audience and an array for more; a token without audience is never made. Without
    /// scopes there is no `scope`.
    /// - Throws: `CryptoError` when OpenSSL failed.
    public func encode(_ claims: AccessTokenClaims) throws(CryptoError) -> [UInt8] {
        precondition(!claims.audience.isEmpty, "a token without audience opens nothing, or everything")
        return try signer.sign(Self.payload(claims).span)
    }

    /// The claims as JSON, written by hand: this is the hot path of the token endpoint.
    static func payload(_ claims: AccessTokenClaims) -> [UInt8] {
        var json: [UInt8] = []
        json.reserveCapacity(512)
        json += #"{"iss":"#.utf8
        JSON.quote(claims.issuer, appendingTo: &json)
        json += #","sub":"#.utf8
        JSON.quote(claims.clientID.value, appendingTo: &json)
        json += #","client_id":"#.utf8
        JSON.quote(claims.clientID.value, appendingTo: &json)
        json += #","aud":"#.utf8
        append(claims.audience, to: &json)
        json += #","iat":"#.utf8
        append(claims.issuedAt, to: &json)
        json += #","exp":"#.utf8
        append(claims.expiresAt, to: &json)
        json += #","jti":"#.utf8
        JSON.quote(claims.tokenID.value, appendingTo: &json)
        if !claims.scopes.isEmpty {
            json += #","scope":"#.utf8
            JSON.quote(claims.scopes.description, appendingTo: &json)
        }
        json.append(UInt8(ascii: "}"))
        return json
    }

    private static func append(_ audience: [ResourceID], to json: inout [UInt8]) {
        guard audience.count != 1 else { return JSON.quote(audience[0].value, appendingTo: &json) }
        var separator = UInt8(ascii: "[")
        for resource in audience {
            json.append(separator)
            JSON.quote(resource.value, appendingTo: &json)
            separator = UInt8(ascii: ",")
        }
        json.append(UInt8(ascii: "]"))
    }

    private static func append(_ number: Int64, to json: inout [UInt8]) { json += String(number).utf8 }
}
