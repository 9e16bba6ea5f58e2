public import OpenSSLCrypto

/// The signing keys with their private parts, and the schedule that says which of them is used when.
public struct KeyRing: Sendable {
    /// A key that can sign.
    public struct Key: Sendable {
        /// Its name, algorithm and times.
        public let detail: SigningKeyDetail
        /// Its private part.
        public let privateKey: PrivateKey

        /// `kid`.
        public var keyID: String { detail.keyID }
        /// The public part, for the JWK set.
        public var publicKey: PublicKey { privateKey.publicKey }
    }

    /// When which key is used.
    public let schedule: KeySchedule
    private let privateKeys: [String: PrivateKey]

    /// A ring of these keys.
    /// - Parameter privateKeys: the private parts by `kid`; a retired key has none.
    public init(schedule: KeySchedule, privateKeys: [String: PrivateKey]) {
        self.schedule = schedule
        self.privateKeys = privateKeys
    }

    /// The key that signs at a moment; nil before the first was made.
    public func signing(at now: Milliseconds) -> Key? {
        schedule.signing(at: now).flatMap(key)
    }

    /// The keys for the JWK set at a moment (RFC 7517 §5).
    public func published(at now: Milliseconds) -> [Key] {
        schedule.published(at: now).compactMap(key)
    }

    /// The private part of a key that is known.
    func privateKey(_ keyID: String) -> PrivateKey? { privateKeys[keyID] }

    private func key(_ detail: SigningKeyDetail) -> Key? {
        privateKeys[detail.keyID].map { Key(detail: detail, privateKey: $0) }
    }
}
