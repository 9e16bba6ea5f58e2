internal import OAuth
internal import OpenSSLCrypto

/// Whether a client's secret is right, in two steps, so that no event loop waits for scrypt.
///
/// The first step costs microseconds. What it leaves undecided is a value to run on a thread that may block.
/// A failure costs the same whether the client is unknown, disabled or sent a wrong secret.
public enum SecretCheck {
    /// What the first step says.
    public enum FirstAnswer: Sendable {
        /// The secret is right: it is this one of the client's.
        case accepted(secretID: String)
        /// It is wrong, or there is no such client, or it is disabled.
        case refused
        /// Run this where blocking does no harm, then tell the cache.
        case undecided(SlowSecretCheck)
    }

    /// The first step.
    /// - Parameters:
    ///   - secrets: the forms in which the client may have sent its secret, likeliest first: form-decoded and raw
    ///     (RFC 6749 §2.3.1).
    ///   - client: the client of that id; nil when there is none.
    ///   - now: the moment.
    ///   - cache: this thread's memory of scrypt's successes.
    ///   - cost: what a failure costs, from the registry.
    public static func begin(
        _ secrets: [[UInt8]], of client: RegisteredClient?, at now: Milliseconds,
        cache: VerifiedSecretCache, cost: FailureCost
    ) -> FirstAnswer {
        let enabled = client.flatMap { $0.isDisabled ? nil : $0 }
        let secretsToTry = enabled?.secrets ?? nobodysSecrets
        let areValid = secretsToTry.allSatisfy { $0.isValid(at: now) }
        let valid = areValid ? secretsToTry : secretsToTry.filter { $0.isValid(at: now) }
        if let id = digestMatch(secrets, valid), enabled != nil { return .accepted(secretID: id) }
        let brought = valid.filter { $0.verifier.kind == .scrypt }
        if let client, !brought.isEmpty {
            for secret in secrets {
                guard let id = cache.remembers(secret, of: client.id, among: brought) else { continue }
                return .accepted(secretID: id)
            }
        }
        let derivations = max(cost.scryptDerivations, brought.count)
        guard derivations > 0 else { return .refused }
        return .undecided(
            SlowSecretCheck(
                client: client?.id, secrets: secrets, verifiers: brought, derivations: derivations))
    }

    /// Why a secret is refused, for the log.
    public enum Refusal: Sendable, Equatable {
        /// It is none of the client's.
        case wrong
        /// It is none that is good; whether it is one that has ended takes longer to find out.
        case wrongOrEnded
        /// It is this one of the client's, which has ended: a service was left behind by a rotation.
        case ended(secretID: String)
        /// All secrets of the client have ended.
        case allEnded
        /// The client has none.
        case none
    }

    /// Why a secret was refused. Of those that have ended only generated ones are looked at, and the newest of them: a few
    /// digests, as many where there is no client, so that the time says nothing about it.
    /// - Parameters:
    ///   - secrets: the forms in which the client may have sent its secret.
    ///   - client: the client of that id; nil when there is none.
    ///   - now: the moment.
    public static func refusal(
        of secrets: [[UInt8]], from client: RegisteredClient?, at now: Milliseconds
    ) -> Refusal {
        let present = client?.secrets ?? nobodysSecrets
        let ended = present.filter { $0.hasEnded(at: now) }
        let match = digestMatch(
            secrets, Array(ended.lazy.filter { $0.verifier.kind == .sha256 }.prefix(digestsOfAFailure)))
        if let match { return .ended(secretID: match) }
        guard present.contains(where: { $0.isValid(at: now) }) else {
            return present.isEmpty ? .none : .allEnded
        }
        return ended.contains { $0.verifier.kind == .scrypt } ? .wrongOrEnded : .wrong
    }

    /// What is looked at where there is no client: as much as most clients have, in memory of its own, because
    /// memory that was not used lately costs more time than the rest.
    private static let nobodysSecrets = [
        ClientSecret(
            id: "",
            verifier: SecretVerifier(.sha256, salt: SecureRandom.bytes(16), hash: SecureRandom.bytes(32)),
            notBefore: 0, expiresAt: nil)
    ]

    /// Compares every form with every valid digest, and with decoys up to a fixed number.
    /// - Returns: which secret it is.
    private static func digestMatch(_ secrets: [[UInt8]], _ valid: [ClientSecret]) -> String? {
        var match: String?
        for secret in secrets {
            var compared = 0
            for candidate in valid where candidate.verifier.kind == .sha256 {
                if candidate.verifier.verify(secret.span) { match = candidate.id }
                compared += 1
            }
            if match != nil { return match }
            while compared < digestsOfAFailure {
                _ = SecretVerifier.decoy(.sha256).verify(secret.span)
                compared += 1
            }
        }
        return match
    }

    /// More than the secrets that a client has at a time, but in a rotation of rotations.
    private static let digestsOfAFailure = 3
}

/// What a failed authentication costs, so that its time says nothing about the client.
public struct FailureCost: Sendable, Hashable {
    /// How many scrypt derivations: as many as the client with the most brought secrets needs; 0 where no client
    /// has one.
    public let scryptDerivations: Int

    /// A cost of this many derivations.
    public init(scryptDerivations: Int) {
        self.scryptDerivations = scryptDerivations
    }
}
