internal import JOSE
public import OpenSSLCrypto
internal import SQLite

extension Registry {
    /// Makes the first signing key, active at once, unless there is one that signs or will. Two servers that start
    /// together make one key.
    /// - Returns: the new key; nil when there was one.
    @discardableResult
    public func ensureSigningKey(
        _ algorithm: SignatureAlgorithm = .es256, at now: Milliseconds
    ) throws(StoreError) -> SigningKeyDetail? {
        // Without the write lock where there is nothing to do, as on every start but the first.
        if try hasSigningKey() { return nil }
        return try transaction { () throws(StoreError) in
            try hasSigningKey() ? nil : try insertKey(algorithm, activatesAt: now, at: now, as: .keyAdd)
        }
    }

    /// Makes a new key that is published at once, and signs when every verifier has seen it.
    /// - Parameters:
    ///   - algorithm: what it signs with; nil for what the present one does.
    ///   - maxAge: seconds for which verifiers keep the JWK set.
    ///   - immediately: whether it signs at once: for an emergency. Keys that have not begun to sign are retired
    ///     then: one that was made before the emergency would take over later.
    ///   - now: the moment of the change.
    @discardableResult
    public func rotateSigningKey(
        to algorithm: SignatureAlgorithm? = nil, publishedFor maxAge: Int64, immediately: Bool = false,
        at now: Milliseconds
    ) throws(StoreError) -> SigningKeyDetail {
        try transaction { () throws(StoreError) in
            let schedule = try schedule()
            let present = schedule.signing(at: now)
            if immediately {
                let waiting = schedule.waiting(at: now).map(\.keyID)
                // Before anything is changed: a program may go on with its transaction after a refusal.
                try requireMasterKey(ofAllBut: waiting)
                for keyID in waiting { try retire(keyID, at: now) }
            }
            let activatesAt = immediately || present == nil ? now : now + maxAge * 1000
            return try insertKey(
                algorithm ?? present?.algorithm ?? .es256, activatesAt: activatesAt, at: now, as: .keyRotate)
        }
    }

    /// Takes a key out of use at once: it is published no more, every token that it signed is refused from the
    /// next refresh of its verifier on, and its private part is erased.
    /// - Parameter evenLast: also where no other key would sign, and no token can be issued until there is one: for a
    ///   key whose master key is lost, beside which no other can be made.
    /// - Throws: `notFound`; `invalid` when no other key would sign.
    public func retireSigningKey(
        _ keyID: String, evenLast: Bool = false, at now: Milliseconds
    ) throws(StoreError) {
        try transaction { () throws(StoreError) in
            let keys = try keyRows().map(\.detail)
            guard let key = keys.first(where: { $0.keyID == keyID }) else {
                throw StoreError(
                    .notFound, "there is no signing key \(keyID): `authserver key list` shows all")
            }
            guard key.retiredAt == nil else { return }
            let others = keys.filter { $0 != key && $0.retiredAt == nil }
            guard evenLast || others.contains(where: { $0.activatesAt <= now }) else {
                throw StoreError(
                    .invalid,
                    "no other key would sign: make one that signs at once with `authserver key rotate --now`, "
                        + "then retire this one")
            }
            try retire(keyID, at: now)
        }
    }

    /// All keys, the first to sign first, and when each is used. Needs no master key.
    public func keySchedule() throws(StoreError) -> KeySchedule {
        try reading { () throws(StoreError) in try schedule() }
    }

    /// The keys with their private parts.
    /// - Throws: `masterKey` when one is encrypted and the master key is missing or another.
    public func keyRing() throws(StoreError) -> KeyRing {
        try reading { () throws(StoreError) in try connection.keyRing(masterKey: masterKey) }
    }

    /// Encrypts keys under the registry's master key: those that are stored plain, and those that are encrypted with
    /// the master key that it takes the place of.
    /// - Parameters:
    ///   - old: that master key; nil where there was none.
    ///   - now: the moment of the change.
    /// - Returns: how many there were.
    /// - Throws: `masterKey` when the registry was opened without one, or when a key is encrypted with neither.
    @discardableResult
    public func encryptSigningKeys(
        replacing old: MasterKey? = nil, at now: Milliseconds = WallClock.now()
    ) throws(StoreError) -> Int {
        guard let masterKey else {
            throw StoreError(
                .masterKey, "name the master key file that the signing keys are to be encrypted with")
        }
        return try transaction { () throws(StoreError) in
            // All are read before one is changed: a program may go on with its transaction after a refusal.
            var sealed: [(keyID: String, bytes: [UInt8])] = []
            for row in try keyRows() where !row.isSealed(under: masterKey) {
                guard let key = try row.privateKey(masterKey: old ?? masterKey) else { continue }
                let keyID = row.detail.keyID
                sealed.append(
                    (keyID, try StoredPrivateKey(key, keyID: keyID, masterKey: masterKey).bytes))
            }
            for (keyID, bytes) in sealed {
                try connection.change(
                    "UPDATE signing_keys SET private_key = ?, is_encrypted = 1 WHERE kid = ?",
                    [.blob(bytes), .text(keyID)])
                try record(.keyEncrypt, object: keyID, at: now)
            }
            return sealed.count
        }
    }

    // MARK: Help

    private func retire(_ keyID: String, at now: Milliseconds) throws(StoreError) {
        try connection.change(
            "UPDATE signing_keys SET retired_at = ?, private_key = NULL WHERE kid = ?",
            [.integer(now), .text(keyID)])
        try record(.keyRetire, object: keyID, at: now)
    }

    private func hasSigningKey() throws(StoreError) -> Bool {
        try reading { () throws(StoreError) in
            try connection.integer("SELECT count(*) FROM signing_keys WHERE retired_at IS NULL") != 0
        }
    }

    private func insertKey(
        _ algorithm: SignatureAlgorithm, activatesAt: Milliseconds, at now: Milliseconds,
        as change: RegistryChange.Kind
    ) throws(StoreError) -> SigningKeyDetail {
        try requireMasterKey(ofAllBut: [])
        let key: PrivateKey
        do { key = try PrivateKey.generate(algorithm) } catch {
            throw StoreError(.io, "no signing key could be made: \(error)")
        }
        let keyID = JWK.thumbprint(of: key.publicKey)
        let stored = try StoredPrivateKey(key, keyID: keyID, masterKey: masterKey)
        try connection.change(
            """
            INSERT INTO signing_keys (kid, algorithm, private_key, is_encrypted, created_at, activates_at)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                .text(keyID), .text(algorithm.rawValue), .blob(stored.bytes),
                .integer(stored.isEncrypted ? 1 : 0), .integer(now), .integer(activatesAt),
            ])
        var detail = ChangeDetail.nothing
        detail.add("alg", algorithm.rawValue)
        if activatesAt > now { detail.add("activates_at", activatesAt / 1000) }
        try record(change, object: keyID, detail: detail, at: now)
        return SigningKeyDetail(
            keyID: keyID, algorithm: algorithm, isEncrypted: stored.isEncrypted, createdAt: now,
            activatesAt: activatesAt)
    }

    /// Whoever encrypted the keys wants the next one under the same master key: neither plain because an option was
    /// forgotten, nor under another, since a server has one master key for all.
    private func requireMasterKey(ofAllBut leaving: [String]) throws(StoreError) {
        let encrypted = try keyRows().filter {
            $0.detail.isEncrypted && $0.detail.retiredAt == nil && !leaving.contains($0.detail.keyID)
        }
        guard masterKey != nil || encrypted.isEmpty else {
            throw StoreError(
                .masterKey,
                "the signing keys are encrypted: name the master key file, so that the new one is too")
        }
        for row in encrypted { _ = try row.privateKey(masterKey: masterKey) }
    }

    private func keyRows() throws(StoreError) -> [SigningKeyRow] { try connection.signingKeyRows() }

    private func schedule() throws(StoreError) -> KeySchedule {
        try connection.keySchedule(of: try keyRows())
    }
}
