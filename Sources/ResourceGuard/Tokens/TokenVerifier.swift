internal import AccessToken
internal import JOSE
internal import OpenSSLCrypto

/// Verifies a token from scratch, in the order that costs a forger most and the service least: size, form and
/// type, issuer, key, signature, times, audience.
struct TokenVerifier: Sendable {
    /// Why a token is not accepted.
    struct Fault: Error {
        let reason: RefusalReason
        let explanation: String
        var retryAfter: Duration?
    }

    let validation: AccessTokenValidation
    let keys: KeyCache
    let clock: GuardClock

    /// Verifies a token.
    nonisolated(nonsending) func verify(_ bytes: [UInt8]) async throws(Fault) -> VerifiedToken {
        let token = try read(bytes)
        let (key, revision) = try await key(for: token)
        guard token.jws.verify(with: key) else {
            throw Fault(
                reason: .badSignature, explanation: "the token's signature does not fit the key that it names"
            )
        }
        do throws(AccessTokenError) {
            try validation.check(token, now: Double(clock.date()))
        } catch {
            throw fault(error)
        }
        return VerifiedToken(bytes: bytes, token, keyRevision: revision)
    }

    /// The issuer is checked before a key is looked for, so that tokens of others cause no fetch.
    private func read(_ bytes: [UInt8]) throws(Fault) -> UnverifiedAccessToken {
        do throws(AccessTokenError) {
            let token = try AccessTokenDecoder.decode(bytes.span)
            try validation.checkIssuer(token)
            return token
        } catch {
            throw fault(error)
        }
    }

    private nonisolated(nonsending) func key(
        for token: UnverifiedAccessToken
    ) async throws(Fault) -> (PublicKey, Int) {
        do throws(KeyCache.Trouble) {
            return try await keys.key(for: token.jws.header)
        } catch {
            switch error {
            case .unknownKey:
                throw Fault(
                    reason: .unknownKey,
                    explanation: "the token names no key and algorithm that its issuer publishes")
            case .unavailable(let retryAfter):
                throw Fault(
                    reason: .keysUnavailable,
                    explanation: "the token cannot be verified now: try again later", retryAfter: retryAfter)
            }
        }
    }

    private func fault(_ error: AccessTokenError) -> Fault {
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
        return Fault(reason: reason, explanation: explanation(error))
    }

    private func explanation(_ error: AccessTokenError) -> String {
        if error == .wrongAudience, let resource = validation.audience {
            return "the token does not contain resource id \(resource)"
        }
        return error.description
    }
}
