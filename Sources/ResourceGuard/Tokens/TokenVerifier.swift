internal import AccessToken
internal import JOSE
internal import OpenSSLCrypto
internal import OutboundHTTP
internal import Synchronization

/// Verifies a token from scratch, in the order that costs a forger most and the service least: size, form and
/// type, issuer, key, signature, times, audience.
final class TokenVerifier: Sendable {
    /// Why a token is not accepted.
    struct Fault: Error {
        let reason: RefusalReason
        let explanation: String
        /// For the log alone.
        var logDetail = ""
        /// Whose token it is, once its signature was verified.
        var clientID: ClientID?
        var retryAfter: Duration?
    }

    let validation: AccessTokenValidation
    let resource: ResourceID
    let keys: KeyCache
    let clock: GuardClock
    private let lastSigner = LastSigner()

    init(issuer: String, resource: ResourceID, leeway: Double, keys: KeyCache, clock: GuardClock) {
        validation = AccessTokenValidation(issuer: issuer, audience: resource, leeway: leeway)
        self.resource = resource
        self.keys = keys
        self.clock = clock
    }

    /// What becomes of a token without waiting.
    enum AtOnce {
        case verified(VerifiedToken)
        /// Read; its key must be looked for: it is not the one of the token before, or may be trusted no more.
        case needsKey(UnverifiedAccessToken)
    }

    /// Verifies a token as far as that goes without waiting.
    func verifyAtOnce(_ text: TokenText) throws(Fault) -> AtOnce {
        let last = lastSigner.value
        let token = try read(text, last)
        guard let last, token.jws.knownHeader === last.token.header, keys.isQuiet,
            keys.revision == last.keyRevision
        else { return .needsKey(token) }
        return .verified(try verify(token, last))
    }

    /// Looks for a token's key and verifies it.
    nonisolated(nonsending) func verify(_ token: UnverifiedAccessToken) async throws(Fault) -> VerifiedToken {
        let signer = try await signer(of: token)
        let verified = try verify(token, signer)
        lastSigner.keep(signer)
        return verified
    }

    private func verify(_ token: UnverifiedAccessToken, _ signer: Signer) throws(Fault) -> VerifiedToken {
        guard token.jws.verify(with: signer.key) else {
            throw Fault(
                reason: .badSignature, explanation: "the token's signature does not fit the key that it names"
            )
        }
        let now = clock.date()
        do throws(AccessTokenError) {
            try validation.check(token, now: Double(now))
        } catch {
            throw fault(
                error, logDetail: LogDetail.text(error, of: token, now: now), clientID: token.claims.clientID)
        }
        return VerifiedToken(token, keyRevision: signer.keyRevision)
    }

    /// The issuer is checked before a key is looked for, so that tokens of others cause no fetch.
    private func read(
        _ text: TokenText, _ last: Signer?
    ) throws(Fault) -> UnverifiedAccessToken {
        let token: UnverifiedAccessToken
        do throws(AccessTokenError) {
            token = try AccessTokenDecoder.decode(text, known: last?.token)
        } catch {
            throw fault(error)
        }
        do throws(AccessTokenError) {
            try validation.checkIssuer(token)
        } catch {
            throw fault(error, logDetail: Self.difference(token.claims.issuer, from: validation.issuer))
        }
        return token
    }

    /// Both issuers, for the log. A slash at the end is a letter like any other: some issuers end in one.
    private static func difference(_ stated: String, from expected: String) -> String {
        let detail = "its iss is \(LogText.quoted(stated)), this service takes \(LogText.quoted(expected))"
        let advice = NearIssuer.advice(stated: stated, expected: expected, recipient: "the guard")
        return detail + (advice.map { ": " + $0 } ?? "")
    }

    private nonisolated(nonsending) func signer(of token: UnverifiedAccessToken) async throws(Fault) -> Signer
    {
        do throws(KeyCache.Trouble) {
            let (key, revision) = try await keys.key(for: token.jws.header)
            return Signer(
                token: KnownToken(
                    header: token.jws.knownHeader, issuer: validation.issuer, audience: resource,
                    scopes: token.claims.scopes),
                key: key, keyRevision: revision)
        } catch {
            switch error {
            case .unknownKey:
                throw Fault(
                    reason: .unknownKey,
                    explanation: "the token names no key and algorithm that its issuer publishes")
            case .unavailable(let retryAfter, let cause):
                throw Fault(
                    reason: .keysUnavailable,
                    explanation: "the token cannot be verified now: try again later", logDetail: cause,
                    retryAfter: retryAfter)
            }
        }
    }

    private func fault(
        _ error: AccessTokenError, logDetail: String = "", clientID: ClientID? = nil
    ) -> Fault {
        let reason: RefusalReason =
            switch error {
            case .notASignedToken(.tooLarge): .tokenTooLong
            case .notASignedToken, .wrongType, .invalidPayload, .invalidClaim: .malformedToken
            case .wrongIssuer: .wrongIssuer
            case .wrongAudience: .wrongAudience
            case .expired: .expired
            case .notYetValid: .notYetValid
            case .wrongSignature: .badSignature
            }
        return Fault(
            reason: reason, explanation: explanation(error), logDetail: logDetail, clientID: clientID)
    }

    private func explanation(_ error: AccessTokenError) -> String {
        if error == .wrongAudience, let resource = validation.audience {
            return "the token does not contain resource id \(resource)"
        }
        return error.description
    }
}

/// A token, and the key that its header names among the trusted keys of one revision.
private final class Signer: Sendable {
    let token: KnownToken
    let key: PublicKey
    let keyRevision: Int

    init(token: KnownToken, key: PublicKey, keyRevision: Int) {
        self.token = token
        self.key = key
        self.keyRevision = keyRevision
    }
}

/// Who signed the token that was verified last: most tokens of an issuer have the same header. What it says holds
/// while the trusted keys are fresh and of its revision.
private final class LastSigner: Sendable {
    private let signer = Mutex<Signer?>(nil)

    var value: Signer? { signer.withLock { $0 } }

    func keep(_ new: Signer) { signer.withLock { $0 = new } }
}
