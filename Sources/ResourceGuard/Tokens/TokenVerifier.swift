internal import AccessToken
internal import JOSE
internal import OpenSSLCrypto
internal import OutboundHTTP
internal import Synchronization

/// Verifies a token from scratch, in the order that costs a forger most and the service least: size, form and
/// type, issuer, key, signature, times, audience.
struct TokenVerifier: Sendable {
    /// Why a token is not accepted.
    struct Fault: Error {
        let reason: RefusalReason
        let explanation: String
        /// For the log alone.
        var logDetail = ""
        var retryAfter: Duration?
    }

    let validation: AccessTokenValidation
    let keys: KeyCache
    let clock: GuardClock
    /// That of the token that was verified last: most tokens of an issuer have the same.
    private let lastHeader = LastHeader()

    init(validation: AccessTokenValidation, keys: KeyCache, clock: GuardClock) {
        self.validation = validation
        self.keys = keys
        self.clock = clock
    }

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
        lastHeader.keep(token.jws)
        return VerifiedToken(bytes: bytes, token, keyRevision: revision)
    }

    /// The issuer is checked before a key is looked for, so that tokens of others cause no fetch.
    private func read(_ bytes: [UInt8]) throws(Fault) -> UnverifiedAccessToken {
        let token: UnverifiedAccessToken
        do throws(AccessTokenError) {
            token = try AccessTokenDecoder.decode(bytes, known: lastHeader.known)
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
        if expected.isExactly(stated + "/") {
            return detail + ": give the guard the issuer without the slash at the end"
        }
        if stated.isExactly(expected + "/") {
            return detail + ": give the guard the issuer with the slash at the end"
        }
        return detail
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
            case .unavailable(let retryAfter, let cause):
                throw Fault(
                    reason: .keysUnavailable,
                    explanation: "the token cannot be verified now: try again later", logDetail: cause,
                    retryAfter: retryAfter)
            }
        }
    }

    private func fault(_ error: AccessTokenError, logDetail: String = "") -> Fault {
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
        return Fault(reason: reason, explanation: explanation(error), logDetail: logDetail)
    }

    private func explanation(_ error: AccessTokenError) -> String {
        if error == .wrongAudience, let resource = validation.audience {
            return "the token does not contain resource id \(resource)"
        }
        return error.description
    }
}

/// The header of the token that was verified last.
private final class LastHeader: Sendable {
    private let header = Mutex<CompactJWS.KnownHeader?>(nil)

    var known: CompactJWS.KnownHeader? { header.withLock { $0 } }

    func keep(_ jws: CompactJWS) {
        header.withLock { header in
            if let header, jws.begins(with: header) { return }
            header = jws.knownHeader
        }
    }
}
