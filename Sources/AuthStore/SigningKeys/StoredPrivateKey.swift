internal import OpenSSLCrypto

/// The private part of a signing key as its row holds it: PKCS #8, sealed under the master key or plain.
struct StoredPrivateKey: Sendable {
    let bytes: [UInt8]
    let isEncrypted: Bool

    /// Takes a private key apart for its row.
    init(_ key: PrivateKey, keyID: String, masterKey: MasterKey?) throws(StoreError) {
        do {
            let plaintext = try key.pkcs8()
            isEncrypted = masterKey != nil
            bytes = try masterKey?.seal(plaintext.span, keyID: keyID) ?? plaintext.span.copy()
        } catch { throw StoreError(.io, "signing key \(keyID) could not be stored: \(error)") }
    }

    /// As it stands in its row.
    init(bytes: [UInt8], isEncrypted: Bool) {
        self.bytes = bytes
        self.isEncrypted = isEncrypted
    }

    /// The key itself.
    /// - Throws: `masterKey` when it is encrypted and there is no master key or another, `corrupt` when it is none.
    func privateKey(
        keyID: String, algorithm: SignatureAlgorithm, masterKey: MasterKey?
    ) throws(StoreError) -> PrivateKey {
        let plaintext = try opened(keyID: keyID, masterKey: masterKey)
        do { return try PrivateKey(pkcs8: plaintext, algorithm: algorithm) } catch {
            throw StoreError(.corrupt, "signing key \(keyID) is damaged, rotate and retire it: \(error)")
        }
    }

    private func opened(keyID: String, masterKey: MasterKey?) throws(StoreError) -> SecretBytes {
        guard isEncrypted else { return SecretBytes(copying: bytes.span) }
        guard let masterKey else {
            throw StoreError(
                .masterKey,
                "signing key \(keyID) is encrypted: name the master key file that it was encrypted with")
        }
        do { return try masterKey.open(bytes, keyID: keyID) } catch {
            let given = masterKey.file.map { "in \($0)" } ?? "given"
            throw StoreError(
                .masterKey,
                "signing key \(keyID) was encrypted with another master key than the one \(given): name the master "
                    + "key file that it was encrypted with, or, where that is lost, end the key and its tokens with "
                    + "`authserver key retire --yes --last -- \(keyID)`")
        }
    }
}
