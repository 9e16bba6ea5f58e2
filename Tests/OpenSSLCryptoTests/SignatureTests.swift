import OpenSSLCrypto
import Testing

@Suite("Signatures") struct SignatureTests {
    @Test(
        "what a signer signs, its public key verifies, and nothing else",
        arguments: SignatureAlgorithm.allCases)
    func roundTrip(algorithm: SignatureAlgorithm) throws {
        let key = try PrivateKey.generate(algorithm)
        let signer = try Signer(key)
        for length in [0, 1, 63, 64, 1000] {
            let message = SecureRandom.bytes(length)
            var signature = try signer.sign(message.span)
            #expect(key.publicKey.verify(signature, of: message))
            #expect(!key.publicKey.verify(signature, of: message + [0]))
            #expect(!key.publicKey.verify(signature + [0], of: message))
            #expect(!key.publicKey.verify(Array(signature.dropLast()), of: message))
            #expect(!key.publicKey.verify([], of: message))
            signature[signature.count / 2] ^= 1
            #expect(!key.publicKey.verify(signature, of: message))
        }
    }

    @Test("a key survives PKCS #8 and signs as before", arguments: SignatureAlgorithm.allCases)
    func pkcs8(algorithm: SignatureAlgorithm) throws {
        let key = try PrivateKey.generate(algorithm)
        let read = try PrivateKey(pkcs8: key.pkcs8(), algorithm: algorithm)
        #expect(read.publicKey == key.publicKey)
        let message = Array("message".utf8)
        #expect(try key.publicKey.verify(Signer(read).sign(message.span), of: message))
    }

    @Test("A4: ES256 signatures have 64 bytes, also where r or s is short (RFC 7518 section 3.4)")
    func shortNumbers() throws {
        let key = try PrivateKey.generate(.es256)
        let signer = try Signer(key)
        var short = 0
        for index in 0..<2000 {
            let message = Array("message \(index)".utf8)
            let signature = try signer.sign(message.span)
            #expect(signature.count == 64)
            #expect(key.publicKey.verify(signature, of: message))
            if signature[0] == 0 || signature[32] == 0 { short += 1 }
        }
        #expect(short > 0, "with 2000 signatures some 15 have a short number")
    }

    @Test("an appended signature leaves what was there")
    func appending() throws {
        let signer = try Signer(PrivateKey.generate(.es256))
        let message = Array("message".utf8)
        var output = Array("before".utf8)
        try signer.sign(message.span, appendingTo: &output)
        #expect(output.starts(with: "before".utf8))
        #expect(signer.publicKey.verify(Array(output.dropFirst(6)), of: message))
    }

    @Test("one public key verifies on many threads at once", arguments: SignatureAlgorithm.allCases)
    func manyThreads(algorithm: SignatureAlgorithm) async throws {
        let key = try PrivateKey.generate(algorithm)
        let message = Array("message".utf8)
        let signature = try Signer(key).sign(message.span)
        let verified = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 { group.addTask { key.publicKey.verify(signature, of: message) } }
            return await group.reduce(true) { $0 && $1 }
        }
        #expect(verified)
    }
}
