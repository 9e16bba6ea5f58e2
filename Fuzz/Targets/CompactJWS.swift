import JOSE
import OpenSSLCrypto

extension FuzzTarget {
    /// A key that was never used to sign.
    private static let strangersKey: PublicKey = {
        guard let key = try? PrivateKey.generate(.eddsa) else { fatalError("no key") }
        return key.publicKey
    }()

    /// JWS in compact serialization (RFC 7515 §7.1), and base64url.
    static let compactJWS = FuzzTarget(name: "compact-jws") { input in
        checkBase64URL(input)
        guard let jws = try? CompactJWS(parsing: input) else { return }
        demand(input.count <= CompactJWS.defaultMaximumBytes, "a token beyond the limit is accepted")
        demand(
            (try? CompactJWS(parsing: input, maximumBytes: input.count - 1)) == nil,
            "a limit is not held")
        let parts = input.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        demand(parts.count == 3, "a token of \(parts.count) parts is accepted")
        for part in parts { checkIsCanonical(Array(part)) }
        demand(Base64URL.decode(Array(parts[1]).span) == jws.payload, "the payload is not that of the token")
        demand(!jws.verify(with: strangersKey), "a stranger's key verifies the token")
        demand(jws.header.parameters["crit"] == nil, "crit is accepted")
        checkSerialization(of: .object(jws.header.parameters))
    }

    /// Bytes have one text: what decodes encodes to itself.
    private static func checkIsCanonical(_ text: [UInt8]) {
        guard let bytes = Base64URL.decode(text.span) else { fatalError("a part is no base64url") }
        demand(Base64URL.encode(bytes).utf8.elementsEqual(text), "a part has a second spelling")
    }

    private static func checkBase64URL(_ input: [UInt8]) {
        demand(Base64URL.decode(Base64URL.encode(input)) == input, "encoding does not decode to itself")
        if Base64URL.decode(input.span) != nil { checkIsCanonical(input) }
    }
}
