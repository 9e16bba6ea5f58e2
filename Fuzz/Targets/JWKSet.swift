import JOSE
import OpenSSLCrypto

extension FuzzTarget {
    /// JWK Set (RFC 7517 §5): a text, or one key of it.
    static let jwkSet = FuzzTarget(name: "jwk-set", isCostly: true) { input in
        let opening = Array(#"{"keys":["#.utf8)
        for text in [input, opening + input + Array("]}".utf8)] {
            guard let set = try? JWKSet(parsing: text.span) else { continue }
            demand(
                set.keys.count + set.skipped.count <= JWKSet.maximumKeyCount,
                "more keys than the limit are read")
            checkPublication(of: set)
        }
    }

    /// What is published reads as the same keys, and holds no private part.
    private static func checkPublication(of set: JWKSet) {
        guard let again = try? JWKSet(parsing: set.json().span) else {
            fatalError("what was serialized does not parse")
        }
        // OpenSSL looks for factors at random, and may find those of a false RSA key the second time alone.
        let lost = again.skipped.map { set.keys[$0.index] }
        demand(lost.allSatisfy { $0.isRSA }, "a published key is skipped: \(again.skipped)")
        demand(again.keys == set.keys.filter { !lost.contains($0) }, "a published key differs")
        let nothing: [UInt8] = []
        for key in set.keys {
            demand(key.thumbprint().utf8.count == 43, "a thumbprint has not 43 characters")
            demand(key.json().object?["d"] == nil && key.json().object?["k"] == nil, "a private part is kept")
            demand(!key.key.verify(nothing.span, of: nothing.span), "an empty signature verifies")
        }
    }
}

extension JWK {
    fileprivate var isRSA: Bool { if case .rsa = key.parameters { true } else { false } }
}
