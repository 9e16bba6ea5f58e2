import AccessToken
import AuthStore
import JOSE
import OpenSSLCrypto

/// The signing keys as one thread uses them: encoders with their contexts, and the JWK set as bytes.
///
/// Confined to its event loop.
final class WorkerKeys {
    /// The JWK set as it is sent.
    struct PublishedSet {
        let body: [UInt8]
        /// A strong validator (RFC 9110 §8.8.3).
        let entityTag: String
    }

    /// `max-age` of the JWK set, in seconds.
    let maxAge: Int64
    private let registry: RegistryReader
    /// That of the key that signs: contexts of earlier ones are let go.
    private var encoder: AccessTokenEncoder?
    private var published: (keyIDs: [String], set: PublishedSet)?

    init(registry: RegistryReader, maxAge: Int64) {
        self.registry = registry
        self.maxAge = maxAge
    }

    /// The encoder of the key that signs now.
    /// - Returns: nil when there is no such key: the registry was emptied under a running server.
    /// - Throws: `CryptoError` when OpenSSL cannot use the key.
    func encoder(at now: Milliseconds) throws(CryptoError) -> AccessTokenEncoder? {
        // The client was looked up in the same request, and with it whether the registry changed.
        let ring = registry.keyRing(lookingForChanges: false)
        guard let key = ring.signing(at: now) else { return nil }
        if let encoder, encoder.keyID == key.keyID { return encoder }
        let made = try AccessTokenEncoder(key: key.privateKey, keyID: key.keyID)
        encoder = made
        return made
    }

    /// The published key of this `kid`; nil for every other.
    func key(_ keyID: String, at now: Milliseconds) -> PublicKey? {
        registry.keyRing().published(at: now).first { $0.keyID.utf8.elementsEqual(keyID.utf8) }?
            .publicKey
    }

    /// The JWK set (RFC 7517 §5).
    func publishedSet(at now: Milliseconds) -> PublishedSet {
        let keys = registry.keyRing().published(at: now)
        let keyIDs = keys.map(\.keyID)
        if let published, published.keyIDs == keyIDs { return published.set }
        let body = JWKSet(keys.map { JWK(key: $0.publicKey, keyID: $0.keyID) }).json()
        let set = PublishedSet(
            body: body, entityTag: "\"\(Base64URL.encode(SHA256.digest(body.span)).prefix(22))\"")
        published = (keyIDs, set)
        return set
    }
}

extension WorkerKeys {
    /// Whether no token can be signed.
    func signingKeyIsMissing(at now: Milliseconds) -> Bool {
        (try? encoder(at: now)) == nil
    }

    /// Since when the key that signs does, in milliseconds since 1970; nil where no token can be signed.
    func signingSince(_ now: Milliseconds) -> Milliseconds? {
        guard !signingKeyIsMissing(at: now) else { return nil }
        return registry.keyRing(lookingForChanges: false).signing(at: now)?.detail.activatesAt
    }
}
