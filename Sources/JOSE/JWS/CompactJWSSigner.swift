public import OpenSSLCrypto

/// Makes JWS in compact serialization (RFC 7515 §7.1) with one key and one header. One a thread: it keeps its
/// contexts and the encoded header, and builds each token in one buffer.
public final class CompactJWSSigner {
    private let signer: Signer
    private let encodedHeader: [UInt8]
    /// That of the signatures.
    private var storage: [UInt8] = []

    /// A signer whose header is `alg`, `typ` and `kid`.
    /// - Throws: `CryptoError` when OpenSSL has no memory or not the algorithm.
    public init(key: PrivateKey, keyID: String, type: String) throws(CryptoError) {
        signer = try Signer(key)
        let header: JSONValue = [
            "alg": .string(key.algorithm.rawValue), "typ": .string(type), "kid": .string(keyID),
        ]
        var encodedHeader: [UInt8] = []
        Base64URL.encode(JSON.serialize(header).span, appendingTo: &encodedHeader)
        encodedHeader.append(UInt8(ascii: "."))
        self.encodedHeader = encodedHeader
    }

    /// Signs a payload: header.payload.signature.
    /// - Throws: `CryptoError` when OpenSSL failed.
    public func sign(_ payload: Span<UInt8>) throws(CryptoError) -> [UInt8] {
        var token: [UInt8] = []
        token.reserveCapacity(
            encodedHeader.count + Base64URL.encodedByteCount(payload.count) + 1
                + Base64URL.encodedByteCount(signer.signatureByteCount))
        token += encodedHeader
        Base64URL.encode(payload, appendingTo: &token)
        var signature: [UInt8] = []
        swap(&signature, &storage)
        defer { swap(&signature, &storage) }
        signature.removeAll(keepingCapacity: true)
        try signer.sign(token.span, appendingTo: &signature)
        token.append(UInt8(ascii: "."))
        Base64URL.encode(signature.span, appendingTo: &token)
        return token
    }
}
