internal import JOSE
internal import OpenSSLCrypto

/// A secret that this product made: 256 random bits in 43 characters that form-encoding leaves alone, so that a
/// client that forgets to encode it still works. Has no description; `reveal` is for the one time it is shown.
public struct GeneratedSecret: ~Copyable, Sendable {
    let bytes: SecretBytes

    /// A new secret.
    public static func make() -> GeneratedSecret {
        let random = SecretBytes(random: 32)
        var text: [UInt8] = []
        Base64URL.encode(random.span, appendingTo: &text)
        return GeneratedSecret(bytes: SecretBytes(copying: text.span))
    }

    /// The secret, to be shown once.
    public func reveal() -> String { String(decoding: bytes.span.copy(), as: UTF8.self) }
}

/// A secret that an administrator brought. Has no description.
public struct BroughtSecret: ~Copyable, Sendable {
    /// How many bytes of UTF-8 a secret may have.
    public static let byteCounts = 1...1024
    /// How many characters it should have.
    public static let advisedCharacterCount = 16

    let bytes: SecretBytes

    /// Takes a secret as it will be sent, without a line end.
    /// - Parameter allowingShort: also takes one of fewer than 16 characters.
    /// - Throws: `invalid` when it is too short or too long, no UTF-8, begins with a byte order mark, or holds a control
    ///   character.
    public init(_ secret: Span<UInt8>, allowingShort: Bool = false) throws(StoreError) {
        guard Self.byteCounts.contains(secret.count) else {
            throw StoreError(.invalid, "a client secret has 1 to 1024 bytes")
        }
        guard let text = String(validating: secret.copy(), as: UTF8.self),
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw StoreError(.invalid, "a client secret is UTF-8 text without control characters")
        }
        // Nobody sees it, and the client that sends what can be seen would be refused.
        guard text.unicodeScalars.first != "\u{FEFF}" else {
            throw StoreError(
                .invalid,
                "the client secret begins with a byte order mark; save its file as UTF-8 without one")
        }
        guard allowingShort || text.count >= Self.advisedCharacterCount else {
            throw StoreError(
                .invalid,
                "a client secret should have 16 characters or more: let authserver make one, or allow a short "
                    + "one explicitly")
        }
        bytes = SecretBytes(copying: secret)
    }
}
