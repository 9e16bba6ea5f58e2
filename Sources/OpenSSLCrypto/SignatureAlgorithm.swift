/// A digital signature algorithm for JWS (RFC 7518 §3.1, RFC 8037 §3.1); the raw value is the `alg` name.
public enum SignatureAlgorithm: String, Sendable, CaseIterable {
    /// ECDSA with P-256 and SHA-256 (RFC 7518 §3.4).
    case es256 = "ES256"
    /// EdDSA with Ed25519 (RFC 8037 §3.1).
    case eddsa = "EdDSA"
    /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 §3.3).
    case rs256 = "RS256"
    /// RSASSA-PSS with SHA-256, MGF1 with SHA-256 and a salt of 32 bytes (RFC 7518 §3.5).
    case ps256 = "PS256"
}
