internal import JOSE
internal import OpenSSLCrypto

/// The issuer's keys. A token finds its key by `kid` and algorithm or not at all: there is no default key, and a
/// key never verifies for an algorithm that is not its own.
struct TrustedKeys: Sendable, Equatable {
    private let published: JWKSet

    /// The usable keys of a set.
    init(_ set: JWKSet) { published = set }

    /// How many keys a token could name.
    var count: Int { published.keys.count { $0.keyID != nil } }

    /// Whether some key has this id: if not, fetching again may help.
    func holds(_ keyID: String) -> Bool { published.keys.contains { $0.keyID?.isExactly(keyID) == true } }

    /// The key that a header names.
    func key(for header: JWSHeader) -> PublicKey? { published.key(for: header) }

    static func == (left: TrustedKeys, right: TrustedKeys) -> Bool {
        left.published.keys == right.published.keys
    }
}
