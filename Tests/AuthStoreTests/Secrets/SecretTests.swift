import OAuth
import OpenSSLCrypto
import Testing

@testable import AuthStore

@Suite struct SecretTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func brought(_ text: String, allowingShort: Bool = true) throws(StoreError) -> SecretVerifier {
        let bytes = Array(text.utf8)
        return try SecretVerifier(BroughtSecret(bytes.span, allowingShort: allowingShort))
    }

    @Test("A generated secret is 43 characters that form-encoding leaves alone, and never the same")
    func generated() {
        var seen: Set<String> = []
        for _ in 0..<1000 {
            let text = GeneratedSecret.make().reveal()
            #expect(text.utf8.count == 43)
            #expect(text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
            seen.insert(text)
        }
        #expect(seen.count == 1000)
    }

    @Test("A generated secret is recognized, and nothing near it")
    func verifyGenerated() {
        let secret = GeneratedSecret.make()
        let verifier = SecretVerifier(secret)
        let text = secret.reveal()
        #expect(verifier.kind == .sha256)
        #expect(verifier.verify(bytes(text)))
        for wrong in ["", String(text.dropLast()), text + "A", text.lowercased() + "-", text + "\0"] {
            let wrong = bytes(wrong)
            #expect(!verifier.verify(wrong))
        }
    }

    @Test("The same secret is never stored alike twice")
    func salted() throws {
        let secret = GeneratedSecret.make()
        #expect(SecretVerifier(secret) != SecretVerifier(secret))
        #expect(try brought("hunter22 hunter22") != brought("hunter22 hunter22"))
    }

    @Test("A brought secret is recognized whole: 100 characters, of which 72 are not enough (T10)")
    func verifyBrought() throws {
        let text = String(repeating: "0123456789", count: 10)
        let verifier = try brought(text)
        #expect(verifier.kind == .scrypt)
        let (whole, cut, longer) = (bytes(text), bytes(String(text.prefix(72))), bytes(text + "0"))
        #expect(verifier.verify(whole))
        #expect(!verifier.verify(cut))
        #expect(!verifier.verify(longer))
    }

    @Test(
        "Any text can be brought: colons, percent signs, other alphabets (T1, T3, B4)",
        arguments: [
            "z/tZ9V+u:X2/8=%&£€", "a:b:c", "§ü", "5^%zz", " leading and trailing ",
            String(repeating: "x", count: 1024),
        ])
    func broughtTexts(text: String) throws {
        let verifier = try brought(text)
        let secret = bytes(text)
        #expect(verifier.verify(secret))
    }

    @Test(
        "A secret that could not be sent, or not be kept, is refused with a reason",
        arguments: [
            ([], "1 to 1024 bytes"), ([UInt8](repeating: 120, count: 1025), "1 to 1024 bytes"),
            ([0xFF, 0xFE], "UTF-8"), (Array("with\nline".utf8), "control"), (Array("nul\0".utf8), "control"),
            (Array("\u{FEFF}a long enough secret".utf8), "byte order mark"),
        ] as [([UInt8], String)])
    func refused(secret: [UInt8], reason: String) {
        let error = #expect(throws: StoreError.self) {
            _ = try BroughtSecret(secret.span, allowingShort: true)
        }
        #expect(error?.code == .invalid)
        #expect(error?.message.contains(reason) == true)
    }

    @Test("A secret of fewer than 16 characters is refused unless it is allowed")
    func short() throws {
        let error = #expect(throws: StoreError.self) {
            _ = try brought("fifteen chars..", allowingShort: false)
        }
        #expect(error?.message.contains("16 characters") == true)
        #expect(error?.message.contains("fifteen") == false)
        _ = try brought("sixteen chars...", allowingShort: false)
        _ = try brought("fifteen chars..", allowingShort: true)
    }

    @Test("Nothing satisfies a decoy", arguments: SecretVerifier.Kind.allCases)
    func decoy(kind: SecretVerifier.Kind) {
        for text in ["", "secret", GeneratedSecret.make().reveal()] {
            let secret = bytes(text)
            #expect(!SecretVerifier.decoy(kind).verify(secret))
        }
        #expect(SecretVerifier.decoy(kind).kind == kind)
    }

    @Test("A damaged scrypt record verifies nothing and stops nothing")
    func damaged() {
        let parameters = [Scrypt.Parameters(n: 0, r: 0, p: 0), Scrypt.Parameters(n: 1 << 62, r: 8, p: 1)]
        for parameters in parameters {
            let verifier = SecretVerifier(.scrypt(parameters), salt: [], hash: [])
            #expect(!verifier.verify([UInt8]()))
        }
    }
}

extension SecretVerifier {
    /// A span cannot stand in an expectation.
    fileprivate func verify(_ secret: [UInt8]) -> Bool { verify(secret.span) }
}
