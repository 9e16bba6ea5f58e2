import OpenSSLCrypto
import Testing

@Suite("Wycheproof signature vectors", .enabled(if: Vectors.arePresent, Comment(rawValue: Vectors.hint)))
struct WycheproofTests {
    @Test("A3, G2: ECDSA P-256 with r‖s")
    func ecdsa() throws {
        try check("ecdsa_secp256r1_sha256_p1363_test.json") { key throws(CryptoError) in
            try PublicKey(
                .p256(x: number(hex: key.wx, width: 32), y: number(hex: key.wy, width: 32)), algorithm: .es256
            )
        }
    }

    @Test("Ed25519")
    func ed25519() throws {
        try check("ed25519_test.json") { key throws(CryptoError) in
            try PublicKey(.ed25519(x: bytes(hex: key.pk ?? "")), algorithm: .eddsa)
        }
    }

    @Test(
        "RSA, PKCS #1 v1.5 and PSS",
        arguments: [
            ("rsa_signature_2048_sha256_test.json", SignatureAlgorithm.rs256),
            ("rsa_pss_2048_sha256_mgf1_32_test.json", .ps256),
        ])
    func rsa(file: String, algorithm: SignatureAlgorithm) throws {
        try check(file) { key throws(CryptoError) in
            let parameters = PublicKey.Parameters.rsa(
                modulus: number(hex: key.modulus), exponent: number(hex: key.publicExponent))
            return try PublicKey(parameters, algorithm: algorithm)
        }
    }

    /// Every vector of a file: "acceptable" ones are lax encodings, which are refused.
    private func check(_ name: String, key: (VectorFile.Key) throws(CryptoError) -> PublicKey) throws {
        let file = try Vectors.load(name)
        var count = 0
        for group in file.testGroups {
            let key = try key(group.publicKey)
            for vector in group.tests {
                let verified = key.verify(bytes(hex: vector.sig), of: bytes(hex: vector.msg))
                #expect(verified == (vector.result == "valid"), "\(name) \(vector.tcId): \(vector.comment)")
                count += 1
            }
        }
        #expect(count == file.numberOfTests)
    }
}
