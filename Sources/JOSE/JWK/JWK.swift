public import OpenSSLCrypto

/// A public key as a JSON Web Key (RFC 7517): it verifies signatures, and holds no private part.
public struct JWK: Sendable, Hashable {
    /// `kid` (RFC 7517 §4.5).
    public let keyID: String?
    /// The key, bound to its algorithm.
    public let key: PublicKey

    /// A key under a name.
    public init(key: PublicKey, keyID: String?) {
        self.key = key
        self.keyID = keyID
    }

    /// A key named by its thumbprint (RFC 7638).
    public init(_ key: PublicKey) {
        self.init(key: key, keyID: Self.thumbprint(of: key))
    }

    /// The SHA-256 thumbprint (RFC 7638 §3) in base64url.
    public func thumbprint() -> String { Self.thumbprint(of: key) }

    /// The SHA-256 thumbprint of a key (RFC 7638 §3) in base64url.
    public static func thumbprint(of key: PublicKey) -> String {
        var object = JSONObject()
        // The order is that of RFC 7638 §3.2: lexicographic.
        for (name, value) in requiredMembers(of: key).sorted(by: { $0.name < $1.name }) {
            object[name] = .string(value)
        }
        return Base64URL.encode(SHA256.digest(JSON.serialize(.object(object))))
    }

    /// The key with `kid`, `alg` and `use`, ready for publication.
    public func json() -> JSONValue {
        var object = JSONObject()
        for (name, value) in Self.requiredMembers(of: key) { object[name] = .string(value) }
        object["kid"] = keyID.map(JSONValue.string)
        object["alg"] = .string(key.algorithm.rawValue)
        object["use"] = "sig"
        return .object(object)
    }

    /// The members that describe the key itself (RFC 7518 §6.2.1, §6.3.1, RFC 8037 §2).
    private static func requiredMembers(of key: PublicKey) -> [(name: String, value: String)] {
        switch key.parameters {
        case .p256(let x, let y):
            [("kty", "EC"), ("crv", "P-256"), ("x", Base64URL.encode(x)), ("y", Base64URL.encode(y))]
        case .ed25519(let x):
            [("kty", "OKP"), ("crv", "Ed25519"), ("x", Base64URL.encode(x))]
        case .rsa(let modulus, let exponent):
            [("kty", "RSA"), ("n", Base64URL.encode(modulus)), ("e", Base64URL.encode(exponent))]
        }
    }
}
