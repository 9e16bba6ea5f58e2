internal import OAuth
internal import OpenSSLCrypto

/// The second step of a secret's check: scrypt, some 40 ms each. A pure function of its own values, to be run on
/// any thread that may block.
public struct SlowSecretCheck: Sendable {
    /// What the second step says.
    public struct Answer: Sendable {
        /// Whether the secret is right.
        public var isAccepted: Bool { matched != nil }
        fileprivate let matched: Match?
    }

    fileprivate struct Match: Sendable {
        let client: ClientID
        let secret: SecretText
        let secretID: String
    }

    private let client: ClientID?
    private let secrets: [SecretText]
    private let verifiers: [ClientSecret]
    private let derivations: Int

    init(client: ClientID?, secrets: [[UInt8]], verifiers: [ClientSecret], derivations: Int) {
        self.client = client
        self.secrets = secrets.map { SecretText($0) }
        self.verifiers = verifiers
        self.derivations = derivations
    }

    /// Decides; blocks for as long as scrypt takes.
    public func run() -> Answer {
        for secret in secrets {
            for candidate in verifiers where secret.satisfies(candidate.verifier) {
                guard let client else { continue }
                return Answer(matched: Match(client: client, secret: secret, secretID: candidate.id))
            }
            for _ in verifiers.count..<max(verifiers.count, derivations) {
                _ = secret.satisfies(.decoy(.scrypt))
            }
        }
        return Answer(matched: nil)
    }
}

/// A presented secret on its way to another thread; wiped with its last reference.
final class SecretText: Sendable {
    let bytes: SecretBytes

    init(_ bytes: [UInt8]) {
        self.bytes = SecretBytes(copying: bytes.span)
    }

    func satisfies(_ verifier: SecretVerifier) -> Bool {
        bytes.reading { verifier.verify($0) }
    }
}

/// Remembers which brought secrets were right, so that the next request costs microseconds instead of scrypt.
///
/// Kept in memory alone, under a key made at start: neither a secret nor a hash that could be searched without
/// that key. Confined to one thread.
public final class VerifiedSecretCache {
    private let key = SecretBytes(random: 32)
    private var known: BoundedCache<[UInt8], String>

    /// An empty memory.
    /// - Parameter capacity: how many secrets it remembers at most.
    public init(capacity: Int = 4096) {
        known = BoundedCache(capacity: capacity)
    }

    /// Remembers a success; a failure is nothing to remember.
    public func remember(_ answer: SlowSecretCheck.Answer) {
        guard let match = answer.matched else { return }
        known[match.secret.bytes.reading { code($0, of: match.client) }] = match.secretID
    }

    /// Which of these secrets, which are those valid now, this text was right for; nil where for none.
    func remembers(_ secret: [UInt8], of client: ClientID, among valid: [ClientSecret]) -> String? {
        guard let id = known[code(secret.span, of: client)], valid.contains(where: { $0.id == id }) else {
            return nil
        }
        return id
    }

    private func code(_ secret: Span<UInt8>, of client: ClientID) -> [UInt8] {
        // No client id holds a NUL, so that the two parts cannot run into each other.
        var message = Array(client.value.utf8) + [0]
        message.append(contentsOf: secret.copy())
        return key.reading { HMACSHA256.code(key: $0, message: message.span) }
    }
}
