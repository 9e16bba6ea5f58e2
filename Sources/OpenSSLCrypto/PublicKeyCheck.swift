/// What is refused before OpenSSL sees a key.
enum PublicKeyCheck {
    static func check(_ parameters: PublicKey.Parameters, for algorithm: SignatureAlgorithm)
        throws(CryptoError)
    {
        switch (parameters, algorithm) {
        case (.p256(let x, let y), .es256):
            guard x.count == 32, y.count == 32 else {
                throw .unacceptablePublicKey("a P-256 coordinate has exactly 32 bytes")
            }
        case (.ed25519(let x), .eddsa):
            guard x.count == 32 else { throw .unacceptablePublicKey("an Ed25519 key has exactly 32 bytes") }
            guard !Ed25519SmallOrder.contains(x) else {
                throw .unacceptablePublicKey(
                    "a point of small order is no Ed25519 key: anybody can sign for it")
            }
        case (.rsa(let modulus, let exponent), .rs256), (.rsa(let modulus, let exponent), .ps256):
            try check(modulus: modulus)
            try check(exponent: exponent)
        default:
            throw .unacceptablePublicKey("the type of the key is not the algorithm's (\(algorithm.rawValue))")
        }
    }

    private static func check(modulus: [UInt8]) throws(CryptoError) {
        guard let first = modulus.first, let last = modulus.last, first != 0 else {
            throw .unacceptablePublicKey(
                "an RSA modulus has no leading zero byte (RFC 7518 section 2, Base64urlUInt)")
        }
        let bits = modulus.count * 8 - first.leadingZeroBitCount
        guard (2048...8192).contains(bits) else {
            throw .unacceptablePublicKey(
                "an RSA key has 2048 to 8192 bits (RFC 7518 section 3.3); this one has \(bits)")
        }
        guard last & 1 == 1 else { throw .unacceptablePublicKey("an even number is no RSA modulus") }
        guard !ROCA.isLikely(modulus) else {
            throw .unacceptablePublicKey("the RSA key has the ROCA weakness (CVE-2017-15361): make a new key")
        }
    }

    private static func check(exponent: [UInt8]) throws(CryptoError) {
        guard let first = exponent.first, let last = exponent.last, first != 0, exponent.count <= 8 else {
            throw .unacceptablePublicKey("an RSA exponent has 1 to 8 bytes and no leading zero byte")
        }
        guard last & 1 == 1, exponent != [1] else {
            throw .unacceptablePublicKey("an RSA exponent is odd and at least 3")
        }
    }
}
