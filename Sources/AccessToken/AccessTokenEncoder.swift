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
        json.append(UInt8(ascii: "{"))
        appendAllButScope(claims, to: &json)
        if !claims.scopes.isEmpty {
            JSON.append(#","scope":"#, to: &json)
            JSON.quote(claims.scopes.description, appendingTo: &json)
        }
        json.append(UInt8(ascii: "}"))
        return json
    }

    /// Appends the claims but `scope` as members of an object; introspection tells them as well (RFC 7662 §2.2).
    package static func appendAllButScope(_ claims: AccessTokenClaims, to json: inout [UInt8]) {
        JSON.append(#""iss":"#, to: &json)
        JSON.quote(claims.issuer, appendingTo: &json)
        JSON.append(#","sub":"#, to: &json)
        JSON.quote(claims.clientID.value, appendingTo: &json)
        JSON.append(#","client_id":"#, to: &json)
        JSON.quote(claims.clientID.value, appendingTo: &json)
        JSON.append(#","aud":"#, to: &json)
        append(claims.audience, to: &json)
        JSON.append(#","iat":"#, to: &json)
        JSON.append(claims.issuedAt, to: &json)
        JSON.append(#","exp":"#, to: &json)
        JSON.append(claims.expiresAt, to: &json)
        JSON.append(#","jti":"#, to: &json)
        claims.tokenID.withBytes { JSON.quote($0, appendingTo: &json) }
    }

    private static func append(_ audience: [ResourceID], to json: inout [UInt8]) {
        guard audience.count != 1 else { return JSON.quote(audience[0].value, appendingTo: &json) }
        json.append(UInt8(ascii: "["))
        for (index, resource) in audience.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            JSON.quote(resource.value, appendingTo: &json)
        }
        json.append(UInt8(ascii: "]"))
    }
}
