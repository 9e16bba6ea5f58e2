public import OpenSSLCrypto

/// A JWK Set (RFC 7517 §5): the keys that an issuer publishes.
public struct JWKSet: Sendable {
    /// A key of a set that was left out.
    public struct Skipped: Sendable, Hashable {
        /// Its place in the array `keys`.
        public let index: Int
        /// Its `kid`, where it has one.
        public let keyID: String?
        /// Why it cannot be used.
        public let reason: JWKError
    }

    /// How many keys of a set are read: OpenSSL's check of an RSA key of 8192 bits takes 15 ms.
    public static let maximumKeyCount = 64

    /// The keys that verify signatures.
    public let keys: [JWK]
    /// The keys that were left out, for the log. One key that is unknown or weak never spoils the others.
    public let skipped: [Skipped]

    /// A set to be published.
    public init(_ keys: [JWK]) {
        self.keys = keys
        skipped = []
    }

    /// Reads a set.
    /// - Throws: `JWKError` when the text is not a JWK Set; keys that are not usable go to `skipped`.
    public init(parsing bytes: Span<UInt8>, limits: JSON.Limits = JSON.Limits()) throws(JWKError) {
        let value: JSONValue
        do { value = try JSON.parse(bytes, limits: limits) } catch { throw .invalidJSON(error) }
        guard let entries = value.object?["keys"]?.array else { throw .notASet }
        guard entries.count <= Self.maximumKeyCount else { throw .tooManyKeys }
        var keys: [JWK] = []
        var skipped: [Skipped] = []
        for (index, entry) in entries.enumerated() {
            do throws(JWKError) {
                let key = try JWK(parsing: entry)
                guard !keys.contains(where: key.isMistakableFor) else { throw .duplicateKeyID }
                keys.append(key)
            } catch {
                skipped.append(Skipped(index: index, keyID: entry.object?["kid"]?.string, reason: error))
            }
        }
        self.keys = keys
        self.skipped = skipped
    }

    /// The key that a header names: the `kid` and the algorithm are exactly those of the key. There is no other
    /// way to a key: none without `kid`, none by trial, no default.
    public func key(for header: JWSHeader) -> PublicKey? {
        guard let keyID = header.keyID else { return nil }
        return keys.first { jwk in
            jwk.key.algorithm.rawValue.isExactly(header.algorithm) && jwk.keyID?.isExactly(keyID) == true
        }?.key
    }

    /// The set as it is published: `{"keys":[…]}`.
    public func json() -> [UInt8] {
        JSON.serialize(["keys": .array(keys.map { $0.json() })])
    }
}

extension JWK {
    /// Whether both have one `kid` and one algorithm, so that a header could mean either.
    fileprivate func isMistakableFor(_ other: JWK) -> Bool {
        guard let keyID, let otherID = other.keyID else { return false }
        return key.algorithm == other.key.algorithm && keyID.isExactly(otherID)
    }
}
