import OpenSSLCrypto
import Testing

@Suite("Public keys that are refused (RFC 8725 section 3.4)") struct PublicKeyTests {
    /// The numbers of a good key of each algorithm.
    static let good: [(SignatureAlgorithm, PublicKey.Parameters)] = SignatureAlgorithm.allCases.compactMap {
        algorithm in
        (try? PrivateKey.generate(algorithm)).map { (algorithm, $0.publicKey.parameters) }
    }

    @Test("A32: a key is only for an algorithm of its type", arguments: SignatureAlgorithm.allCases)
    func type(algorithm: SignatureAlgorithm) throws {
        for (own, parameters) in Self.good {
            let fits = own == algorithm || [own, algorithm].allSatisfy { $0 == .rs256 || $0 == .ps256 }
            #expect(refused(parameters, algorithm) != fits)
        }
    }

    @Test("A32: a point off the curve, at infinity, or of another length")
    func points() throws {
        let key = try PrivateKey.generate(.es256).publicKey
        guard case .p256(let x, var y) = key.parameters else { throw Unexpected() }
        y[31] ^= 1
        let zero = [UInt8](repeating: 0, count: 32)
        let ones = [UInt8](repeating: 0xFF, count: 32)
        let points: [([UInt8], [UInt8])] = [
            (x, y), (zero, zero), (ones, ones), (x, Array(y.dropLast())), ([0] + x, y), ([], []),
        ]
        for (x, y) in points {
            #expect(refused(.p256(x: x, y: y), .es256))
        }
    }

    @Test("Ed25519 keys of small order, and of another length")
    func smallOrder() throws {
        let zero = [UInt8](repeating: 0, count: 32)
        let identity: [UInt8] = [1] + zero.dropLast()
        let minusOne: [UInt8] = [0xEC] + [UInt8](repeating: 0xFF, count: 30) + [0x7F]
        let negated: [UInt8] = zero.dropLast() + [0x80]
        let refusals: [[UInt8]] = [zero, identity, minusOne, negated, zero + [0], [9]]
        for x in refusals { #expect(refused(.ed25519(x: x), .eddsa)) }
    }

    @Test(
        "A32: RSA moduli that are short, long, even or padded", arguments: [SignatureAlgorithm.rs256, .ps256])
    func moduli(algorithm: SignatureAlgorithm) throws {
        let modulus = try rsaModulus()
        let exponent: [UInt8] = [1, 0, 1]
        #expect(!refused(.rsa(modulus: modulus, exponent: exponent), algorithm))
        let refusals: [[UInt8]] = [
            [], [0], Array(modulus.suffix(128)), [0x7F] + modulus.dropFirst(), [0] + modulus,
            Array(modulus.dropLast()) + [modulus[255] & 0xFE], [1] + [UInt8](repeating: 0xFF, count: 1024),
        ]
        for modulus in refusals { #expect(refused(.rsa(modulus: modulus, exponent: exponent), algorithm)) }
    }

    @Test("A32: RSA exponents that are 1, even, padded or huge")
    func exponents() throws {
        let modulus = try rsaModulus()
        for exponent: [UInt8] in [[], [0], [1], [2], [0, 3], [1, 0, 0], [UInt8](repeating: 0xFF, count: 9)] {
            #expect(refused(.rsa(modulus: modulus, exponent: exponent), .rs256))
        }
    }

    @Test("equal numbers are equal keys only with the same algorithm")
    func equality() throws {
        let key = try PrivateKey.generate(.rs256).publicKey
        #expect(try PublicKey(key.parameters, algorithm: .rs256) == key)
        #expect(try PublicKey(key.parameters, algorithm: .ps256) != key)
        #expect(Set([key, try PublicKey(key.parameters, algorithm: .rs256)]).count == 1)
    }

    private struct Unexpected: Error {}

    private func refused(_ parameters: PublicKey.Parameters, _ algorithm: SignatureAlgorithm) -> Bool {
        do {
            _ = try PublicKey(parameters, algorithm: algorithm)
            return false
        } catch {
            return error.code == .unacceptablePublicKey
        }
    }

    private func rsaModulus() throws -> [UInt8] {
        guard case .rsa(let modulus, _) = try PrivateKey.generate(.rs256).publicKey.parameters else {
            return []
        }
        return modulus
    }
}
