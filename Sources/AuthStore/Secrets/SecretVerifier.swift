internal import OpenSSLCrypto

/// What is kept of a client secret: enough to recognize it, not enough to find it.
public struct SecretVerifier: Sendable, Hashable {
    /// How a secret is hashed.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Salted SHA-256: for generated secrets, whose 256 bits nobody can search.
        case sha256
        /// scrypt (RFC 7914): for brought secrets, which a person may have chosen.
        case scrypt
    }

    enum Method: Sendable, Hashable {
        case sha256
        case scrypt(Scrypt.Parameters)
    }

    let method: Method
    /// The salt and the hash, in one piece: a server keeps very many of them.
    private let bytes: [UInt8]
    private let saltCount: Int

    init(_ method: Method, salt: [UInt8], hash: [UInt8]) {
        self.method = method
        bytes = salt + hash
        saltCount = salt.count
    }

    var salt: Span<UInt8> {
        @_lifetime(borrow self) get { bytes.span.extracting(first: saltCount) }
    }

    var hash: Span<UInt8> {
        @_lifetime(borrow self) get { bytes.span.extracting(droppingFirst: saltCount) }
    }

    /// How the secret is hashed.
    public var kind: Kind {
        switch method {
        case .sha256: .sha256
        case .scrypt: .scrypt
        }
    }

    /// For a secret that this product made.
    public init(_ secret: borrowing GeneratedSecret) {
        let salt = SecureRandom.bytes(16)
        self.init(.sha256, salt: salt, hash: SHA256.digest(salt.span, secret.bytes.span))
    }

    /// For a secret that an administrator brought; takes some 40 ms.
    /// - Throws: `io` when there is no memory for scrypt.
    public init(_ secret: borrowing BroughtSecret) throws(StoreError) {
        let salt = SecureRandom.bytes(16)
        do {
            let hash = try Scrypt.derive(password: secret.bytes.span, salt: salt.span, parameters: .standard)
            self.init(.scrypt(.standard), salt: salt, hash: hash)
        } catch { throw StoreError(.io, "the secret could not be hashed: \(error)") }
    }

    /// Whether this is the secret. Its time depends on the kind and the length of the text alone; a scrypt
    /// verifier takes some 40 ms and belongs on no event loop.
    public func verify(_ secret: Span<UInt8>) -> Bool {
        switch method {
        case .sha256:
            return ConstantTime.equal(SHA256.digest(salt, secret).span, hash)
        case .scrypt(let parameters):
            // A damaged record, or no memory: not verified.
            let derived = try? Scrypt.derive(
                password: secret, salt: salt, parameters: parameters, length: hash.count)
            return derived.map { ConstantTime.equal($0.span, hash) } ?? false
        }
    }

    /// A verifier of a kind that no secret satisfies, to be asked where there is nothing to verify, so that an
    /// unknown client costs what a wrong secret costs.
    public static func decoy(_ kind: Kind) -> SecretVerifier {
        switch kind {
        case .sha256: sha256Decoy
        case .scrypt: scryptDecoy
        }
    }

    // Random hashes: no text is known that gives them, nor can one be found.
    private static let sha256Decoy = SecretVerifier(
        .sha256, salt: SecureRandom.bytes(16), hash: SecureRandom.bytes(32))
    private static let scryptDecoy = SecretVerifier(
        .scrypt(.standard), salt: SecureRandom.bytes(16), hash: SecureRandom.bytes(32))
}
