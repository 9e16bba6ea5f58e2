import OpenSSLCrypto
import Testing

@Suite("Primitives") struct PrimitiveTests {
    @Test("SHA-256 (FIPS 180-4 example values), whole and in two parts")
    func sha256() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(SHA256.digest([]) == bytes(hex: empty))
        #expect(SHA256.digest(Array("abc".utf8)) == bytes(hex: abc))
        let joined = SHA256.digest(Array("a".utf8).span, Array("bc".utf8).span)
        #expect(joined == bytes(hex: abc))
    }

    @Test(
        "a beginning that was hashed before gives the digest of the whole, each time and on several threads at once"
    )
    func sha256Beginning() async {
        let text = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for count in [0, 1, 63, 64, 65, 112, 128, 299, 300] {
            let beginning = SHA256.Beginning(text.span.extracting(first: count))
            let areRight = await withTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask {
                        for end in [count, (count + 300) / 2, 300] {
                            let message = text.span.extracting(first: end)
                            guard SHA256.digest(message, after: beginning) == SHA256.digest(message) else {
                                return false
                            }
                        }
                        return true
                    }
                }
                return await group.reduce(true) { $0 && $1 }
            }
            #expect(areRight, "\(count) bytes")
        }
    }

    @Test("HMAC-SHA-256 (RFC 4231 sections 4.2, 4.3 and 4.7), also with an empty key after another")
    func hmac() {
        let cases: [(key: [UInt8], message: [UInt8], code: String)] = [
            (
                .init(repeating: 0x0B, count: 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                .init(repeating: 0xAA, count: 131),
                Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
            ([], [], "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
        ]
        for (key, message, code) in cases {
            let computed = HMACSHA256.code(key: key.span, message: message.span)
            #expect(computed == bytes(hex: code))
        }
    }

    @Test("scrypt (RFC 7914 section 12)")
    func scrypt() throws {
        let derived = try Scrypt.derive(
            password: Array("pleaseletmein".utf8).span, salt: Array("SodiumChloride".utf8).span,
            parameters: .init(n: 16384, r: 8, p: 1), length: 64)
        #expect(
            derived
                == bytes(
                    hex: """
                        7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2\
                        d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887
                        """))
    }

    @Test(
        "scrypt refuses parameters that would stop the process",
        arguments: [
            (0, 8, 1), (3, 8, 1), (1 << 21, 1, 1), (1 << 20, 8, 1), (1 << 14, 0, 1), (1 << 14, 8, 17),
            (1 << 14, 33, 1),
        ])
    func scryptLimits(n: UInt64, r: UInt32, p: UInt32) {
        #expect(throws: CryptoError.self) {
            let password: [UInt8] = [1]
            return try Scrypt.derive(
                password: password.span, salt: password.span, parameters: .init(n: n, r: r, p: p), length: 32)
        }
    }

    @Test("AES-256-GCM opens what it sealed, and refuses any change of ciphertext, key or context")
    func aesGCM() throws {
        let key = SecureRandom.bytes(32)
        let context = Array("context".utf8)
        for length in [0, 1, 100] {
            let plaintext = SecureRandom.bytes(length)
            let sealed = try AESGCM.seal(plaintext.span, key: key.span, additionalData: context.span)
            #expect(sealed.count == 12 + length + 16)
            let opened = try AESGCM.open(sealed.span, key: key.span, additionalData: context.span)
            let isEqual = ConstantTime.equal(opened.span, plaintext.span)
            #expect(isEqual)
            for index in sealed.indices {
                var changed = sealed
                changed[index] ^= 0x80
                #expect(!opens(changed, key, context))
            }
            #expect(!opens(sealed, SecureRandom.bytes(32), context))
            #expect(!opens(sealed, key, []))
            #expect(!opens(Array(sealed.prefix(27)), key, context))
            #expect(!opens([], key, context))
        }
        #expect(!seals(key: Array(key.dropLast())))
    }

    private func seals(key: [UInt8]) -> Bool {
        (try? AESGCM.seal(key.span, key: key.span, additionalData: key.span)) != nil
    }

    private func opens(_ sealed: [UInt8], _ key: [UInt8], _ context: [UInt8]) -> Bool {
        (try? AESGCM.open(sealed.span, key: key.span, additionalData: context.span)) != nil
    }

    @Test("comparison in constant time compares")
    func constantTime() {
        #expect(ConstantTime.equal([], []))
        #expect(ConstantTime.equal([1, 2], [1, 2]))
        #expect(!ConstantTime.equal([1, 2], [1, 3]))
        #expect(!ConstantTime.equal([1, 2], [1, 2, 3]))
    }

    @Test("random bytes have the length asked for and do not repeat", arguments: [0, 1, 16, 512, 513, 5000])
    func random(count: Int) {
        #expect(SecureRandom.bytes(count).count == count)
        guard count >= 16 else { return }
        #expect(Set((0..<2000).map { _ in SecureRandom.bytes(count) }).count == 2000)
    }

    @Test("secret bytes hold what they were given, and random ones differ")
    func secretBytes() {
        let original: [UInt8] = [1, 2, 3]
        let copied = SecretBytes(copying: original.span)
        let isCopy = ConstantTime.equal(copied.span, original.span)
        #expect(isCopy && copied.count == 3)
        let first = SecretBytes(random: 32)
        let second = SecretBytes(random: 32)
        let isRepeated = ConstantTime.equal(first.span, second.span)
        #expect(!isRepeated)
        let empty = SecretBytes(random: 0)
        #expect(empty.count == 0)
    }
}
