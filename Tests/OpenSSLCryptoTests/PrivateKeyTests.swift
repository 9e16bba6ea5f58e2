import OpenSSLCrypto
import Testing

@Suite("Private keys that are refused") struct PrivateKeyTests {
    @Test("bytes that are no PKCS #8, or more than one", arguments: SignatureAlgorithm.allCases)
    func malformed(algorithm: SignatureAlgorithm) throws {
        let good = try exported(PrivateKey.generate(algorithm))
        #expect(read(good, algorithm))
        #expect(!read([], algorithm))
        #expect(!read(Array(good.dropLast()), algorithm))
        #expect(!read(good + [0], algorithm))
        #expect(!read(Array(repeating: 0x30, count: 200), algorithm))
    }

    @Test(
        "a key of another algorithm; RSA serves both of its algorithms",
        arguments: SignatureAlgorithm.allCases)
    func otherAlgorithm(algorithm: SignatureAlgorithm) throws {
        let good = try exported(PrivateKey.generate(algorithm))
        for other in SignatureAlgorithm.allCases {
            let fits = other == algorithm || [other, algorithm].allSatisfy { $0 == .rs256 || $0 == .ps256 }
            #expect(read(good, other) == fits)
        }
    }

    @Test("a P-256 key whose public half is another key's")
    func mixedHalves() throws {
        let (first, second) = (try exported(.generate(.es256)), try exported(.generate(.es256)))
        // The public point is the last 65 bytes of the structure (RFC 5915 section 3).
        #expect(!read(first.dropLast(65) + second.suffix(65), .es256))
    }

    @Test("a P-384 key for ES256")
    func otherCurve() {
        // openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 | openssl pkcs8 -topk8 -nocrypt -outform DER
        let refusal = refusal(bytes(hex: p384PKCS8), .es256)
        #expect(refusal?.description == "the private key is not one for ES256")
    }

    @Test("an RSA key of 1024 bits")
    func short() {
        // openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024 | openssl pkcs8 -topk8 -nocrypt -outform DER
        #expect(refusal(bytes(hex: rsa1024PKCS8), .rs256)?.code == .unacceptablePublicKey)
    }

    private func exported(_ key: PrivateKey) throws -> [UInt8] {
        let secret = try key.pkcs8()
        let span = secret.span
        return [UInt8](capacity: span.count) { output in
            for index in span.indices { output.append(span[index]) }
        }
    }

    private func read(_ bytes: some Sequence<UInt8>, _ algorithm: SignatureAlgorithm) -> Bool {
        refusal(Array(bytes), algorithm) == nil
    }

    private func refusal(_ bytes: [UInt8], _ algorithm: SignatureAlgorithm) -> CryptoError? {
        let secret = SecretBytes(copying: bytes.span)
        do {
            _ = try PrivateKey(pkcs8: secret, algorithm: algorithm)
            return nil
        } catch {
            return error
        }
    }
}
