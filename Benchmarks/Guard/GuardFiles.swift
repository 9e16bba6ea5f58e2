import AccessToken
import FoundationEssentials
import Glibc
import JOSE
import OAuth
import OpenSSLCrypto

/// The files that a round of the guard's measurements starts from, made once: tokens, and the keys that verify them.
struct GuardFiles {
    static let algorithms: [SignatureAlgorithm] = [.es256, .eddsa, .rs256]
    static let issuer = "http://127.0.0.1:8083"
    static let resource = "RESOURCE_ID_BOOK"

    let folder: String

    /// The keys as a JWK Set.
    var keySet: String { "\(folder)/jwks.json" }

    /// The token texts of an algorithm, all of one key and each another.
    func tokens(_ algorithm: SignatureAlgorithm) throws -> [String] {
        let text = try String(contentsOfFile: "\(folder)/\(algorithm.rawValue).tokens", encoding: .utf8)
        return text.split(separator: "\n").map(String.init)
    }

    /// The key of an algorithm, for OpenSSL alone.
    func key(_ algorithm: SignatureAlgorithm) throws -> OpenSSLKey {
        let bytes = try Data(contentsOf: URL(filePath: "\(folder)/\(algorithm.rawValue).der"))
        return try OpenSSLKey(publicDER: [UInt8](bytes), algorithm: algorithm)
    }

    /// Makes the files, with so many tokens for each algorithm; they are good for a day.
    func make(count: Int) throws {
        var keys: [JWK] = []
        for algorithm in Self.algorithms {
            let key = try PrivateKey.generate(algorithm)
            keys.append(JWK(key.publicKey))
            let der = try OpenSSLKey(pkcs8: try key.pkcs8(), algorithm: algorithm).publicDER()
            try Data(der).write(to: URL(filePath: "\(folder)/\(algorithm.rawValue).der"))
            let encoder = try AccessTokenEncoder(key: key)
            let tokens = try (0..<count).map { _ in
                String(decoding: try encoder.encode(try Self.claims()), as: UTF8.self)
            }
            try write(tokens, to: "\(algorithm.rawValue).tokens")
            try write(try tokens.map { try Self.plain($0, key) }, to: "\(algorithm.rawValue).jwt")
        }
        try Data(JWKSet(keys).json()).write(to: URL(filePath: keySet))
    }

    private func write(_ tokens: [String], to name: String) throws {
        try tokens.joined(separator: "\n").write(
            toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
    }

    /// The same token as a JWT without a type of its own: libjwt 1 takes no other than `JWT`.
    private static func plain(_ token: String, _ key: PrivateKey) throws -> String {
        let signer = try CompactJWSSigner(key: key, keyID: JWK.thumbprint(of: key.publicKey), type: "JWT")
        let payload = Base64URL.decode(String(token.split(separator: ".")[1])) ?? []
        return String(decoding: try signer.sign(payload.span), as: UTF8.self)
    }

    private static func claims() throws -> AccessTokenClaims {
        let now = now(CLOCK_REALTIME) / 1_000_000_000
        return AccessTokenClaims(
            issuer: issuer, audience: [try ResourceID(resource)], clientID: try ClientID("gateway"),
            issuedAt: now, expiresAt: now + 86_400, tokenID: try .random(), scopes: ["read", "write"])
    }
}

extension TokenID {
    /// A new identifier, as the server makes them.
    static func random() throws -> TokenID { try TokenID(Base64URL.encode(SecureRandom.bytes(16))) }
}
