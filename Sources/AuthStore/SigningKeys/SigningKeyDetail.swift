public import OpenSSLCrypto

/// A signing key without its private part.
public struct SigningKeyDetail: Sendable, Hashable {
    /// `kid`: the RFC 7638 thumbprint of the public part.
    public let keyID: String
    /// What it signs with.
    public let algorithm: SignatureAlgorithm
    /// Whether the private part is encrypted at rest.
    public let isEncrypted: Bool
    /// When it was made, and published.
    public let createdAt: Milliseconds
    /// From when on it signs.
    public let activatesAt: Milliseconds
    /// When it was taken out of use for good; nil while it was not.
    public let retiredAt: Milliseconds?

    /// A key with all that is told of it.
    public init(
        keyID: String, algorithm: SignatureAlgorithm, isEncrypted: Bool = false, createdAt: Milliseconds,
        activatesAt: Milliseconds, retiredAt: Milliseconds? = nil
    ) {
        self.keyID = keyID
        self.algorithm = algorithm
        self.isEncrypted = isEncrypted
        self.createdAt = createdAt
        self.activatesAt = activatesAt
        self.retiredAt = retiredAt
    }
}
