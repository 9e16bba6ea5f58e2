import JOSE
import OAuth
import OpenSSLCrypto

@testable import ResourceGuard

/// An issuer of tests: makes tokens of any text, right or wrong, and the key set that goes with them.
struct TestIssuer: Sendable {
    static let name = "https://auth.example"
    /// The second that tests take for now.
    static let now: Int64 = 1_800_000_000

    let key: PrivateKey
    let keyID: String

    init(_ algorithm: SignatureAlgorithm = .es256, keyID: String? = nil) throws {
        key = try PrivateKey.generate(algorithm)
        self.keyID = keyID ?? JWK.thumbprint(of: key.publicKey)
    }

    var jwk: JWK { JWK(key: key.publicKey, keyID: keyID) }

    /// The key set's text.
    var keySet: String { Self.keySet([self]) }

    static func keySet(_ issuers: [TestIssuer]) -> String {
        String(decoding: JWKSet(issuers.map(\.jwk)).json(), as: UTF8.self)
    }

    /// Claims that are in order, as JSON texts by name.
    static let claims: [(name: String, json: String)] = [
        ("iss", "\"\(name)\""), ("sub", "\"gateway\""), ("client_id", "\"gateway\""),
        ("aud", "\"RESOURCE_ID_BOOK\""), ("iat", "\(now - 10)"), ("exp", "\(now + 3600)"),
        ("jti", "\"AAAAAAAAAAAAAAAAAAAAAA\""), ("scope", "\"read\""),
    ]

    /// A payload in order, but for these claims: another JSON text, or nil for none.
    static func payload(_ changes: [String: String?] = [:]) -> String {
        let kept = claims.compactMap { claim -> String? in
            let json = changes[claim.name] ?? claim.json
            return json.map { "\"\(claim.name)\":\($0)" }
        }
        let added = changes.filter { change in !claims.contains { $0.name == change.key } }
        let more = added.sorted { $0.key < $1.key }.compactMap { change in
            change.value.map { "\"\(change.key)\":\($0)" }
        }
        return "{" + (kept + more).joined(separator: ",") + "}"
    }

    /// The header of tokens in order.
    var header: String { #"{"alg":"\#(key.algorithm.rawValue)","typ":"at+jwt","kid":"\#(keyID)"}"# }

    /// A signed token.
    func token(_ changes: [String: String?] = [:], header: String? = nil) throws -> String {
        try sign(header ?? self.header, Self.payload(changes))
    }

    /// A token of these two texts, signed with the key.
    func sign(_ header: String, _ payload: String) throws -> String {
        let input = Self.encode(header) + "." + Self.encode(payload)
        let bytes = Array(input.utf8)
        return input + "." + Base64URL.encode(try Signer(key).sign(bytes.span))
    }

    static func encode(_ text: String) -> String { Base64URL.encode(Array(text.utf8)) }
}
