import AccessToken
import AuthStore
import JOSE
import OAuth
import OpenSSLCrypto

/// The tokens whose signature this thread has verified: one that is asked about again and again, as tokens are, is
/// verified once.
///
/// It keeps digests and claims, no token. What may change is looked at each time: the clock, and whether the key is
/// still published. Confined to its event loop.
final class VerifiedTokenCache {
    private struct Entry {
        let claims: AccessTokenClaims
        let keyID: String
        let key: PublicKey
    }

    private var entries = BoundedCache<[UInt8], Entry>(capacity: 4096)

    /// The claims of the verified token that has this digest; nil where it is not known, or not valid any more.
    func claims(of digest: [UInt8], keys: WorkerKeys, at now: Milliseconds) -> AccessTokenClaims? {
        guard let entry = entries[digest] else { return nil }
        guard now / 1000 < entry.claims.expiresAt, keys.key(entry.keyID, at: now) == entry.key else {
            entries[digest] = nil
            return nil
        }
        return entry.claims
    }

    /// Remembers a token that was verified with a key. One with other times than this server writes is not kept.
    func insert(_ token: UnverifiedAccessToken, verifiedWith key: PublicKey, digest: [UInt8]) {
        guard let keyID = token.jws.header.keyID, token.notBefore == nil,
            token.expiresAt == Double(token.claims.expiresAt)
        else { return }
        entries[digest] = Entry(claims: token.claims, keyID: keyID, key: key)
    }
}
