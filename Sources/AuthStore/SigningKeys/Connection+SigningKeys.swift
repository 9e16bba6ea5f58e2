internal import OpenSSLCrypto
internal import SQLite

/// A row of the table of signing keys.
struct SigningKeyRow: Sendable {
    let detail: SigningKeyDetail
    /// nil once the key is retired.
    let stored: StoredPrivateKey?

    func privateKey(masterKey: MasterKey?) throws(StoreError) -> PrivateKey? {
        try stored?.privateKey(keyID: detail.keyID, algorithm: detail.algorithm, masterKey: masterKey)
    }

    /// Whether the private part is encrypted with this master key.
    func isSealed(under masterKey: MasterKey) -> Bool {
        guard let stored, stored.isEncrypted else { return false }
        return (try? masterKey.open(stored.bytes, keyID: detail.keyID)) != nil
    }
}

/// Reading signing keys, for the administrator's side and for the server's.
extension Connection {
    func signingKeyRows() throws(StoreError) -> [SigningKeyRow] {
        try all(
            """
            SELECT kid, algorithm, is_encrypted, created_at, activates_at, retired_at, private_key
            FROM signing_keys ORDER BY id
            """
        ) { row throws(StoreError) in
            guard let algorithm = SignatureAlgorithm(rawValue: row.text(1)) else {
                throw StoreError(.corrupt, "signing key \(row.text(0)) has an unknown algorithm")
            }
            let isEncrypted = row.integer(2) != 0
            return SigningKeyRow(
                detail: SigningKeyDetail(
                    keyID: row.text(0), algorithm: algorithm, isEncrypted: isEncrypted,
                    createdAt: row.moment(3),
                    activatesAt: row.moment(4), retiredAt: row.optionalMoment(5)),
                stored: row.isNull(6) ? nil : StoredPrivateKey(bytes: row.blob(6), isEncrypted: isEncrypted))
        }
    }

    func keySchedule(of rows: [SigningKeyRow]) throws(StoreError) -> KeySchedule {
        KeySchedule(
            keys: rows.map(\.detail),
            longestTokenLifetime: try longestTokenLifetime())
    }

    /// In seconds. Where the row is gone or damaged, the longest that any can be: keys and revocations are rather kept too
    /// long than forgotten while a token lives.
    func longestTokenLifetime() throws(StoreError) -> Int64 {
        let seconds = try integer("SELECT seconds FROM longest_token_lifetime")
        let possible = ClientDraft.defaultTokenLifetime...ClientDraft.tokenLifetimes.upperBound
        return seconds.flatMap { possible.contains($0) ? $0 : nil } ?? possible.upperBound
    }

    func keyRing(masterKey: MasterKey?) throws(StoreError) -> KeyRing {
        var privateKeys: [String: PrivateKey] = [:]
        let rows = try signingKeyRows()
        for row in rows { privateKeys[row.detail.keyID] = try row.privateKey(masterKey: masterKey) }
        return KeyRing(schedule: try keySchedule(of: rows), privateKeys: privateKeys)
    }

    /// The keys as far as they can be used, and what is wrong with the first of the others. A private part that cannot
    /// be read is taken from an earlier ring; a key that is not known from there is left out, as if it were not made
    /// yet. What is retired or gone is so in any case: that can be read without a master key.
    func keyRing(
        masterKey: MasterKey?, known: KeyRing
    ) throws(StoreError) -> (ring: KeyRing, trouble: StoreError?) {
        var privateKeys: [String: PrivateKey] = [:]
        var usable: [SigningKeyRow] = []
        var trouble: StoreError?
        for row in try signingKeyRows() {
            let keyID = row.detail.keyID
            do throws(StoreError) {
                privateKeys[keyID] = try row.privateKey(masterKey: masterKey)
            } catch {
                trouble = trouble ?? error
                guard let earlier = known.privateKey(keyID) else { continue }
                privateKeys[keyID] = earlier
            }
            usable.append(row)
        }
        return (KeyRing(schedule: try keySchedule(of: usable), privateKeys: privateKeys), trouble)
    }
}
