internal import AccessToken
internal import JOSE
internal import OutboundHTTP

/// Decides, for one protected resource, whether a request's token lets it in.
///
/// Make one at the start of the service and share it: from any number of tasks, on any executor, in any web
/// framework. It takes the values of the Authorization header and gives an `Access` or throws a `Refusal`, which
/// is the whole answer.
public final class ResourceGuard: Sendable {
    /// The resource that is guarded: what a token's `aud` must hold.
    public let resource: ResourceID
    let issuer: String
    let metadataURL: EndpointURL?
    let verifier: TokenVerifier
    private let remembered: VerifiedTokens?
    private let tokenCheck: (any TokenCheck)?
    /// Whether there is one: to look costs less than to copy what may be of any type.
    private let checksTokens: Bool
    private let checkOutage: Configuration.CheckOutage
    private let log: @Sendable (LogEvent) -> Void
    private let challenge: Challenge

    /// A guard of one resource, for the tokens of one issuer.
    /// - Parameters:
    ///   - issuer: the authorization server's issuer identifier, as it stands in `iss`, byte by byte.
    ///   - resource: this service's resource id, such as `RESOURCE_ID_BOOK`.
    ///   - keys: where the issuer's keys come from.
    ///   - tokenCheck: who knows which tokens were revoked; without it a token is good until it expires.
    /// - Throws: `ConfigurationError`, which says what to mend.
    public convenience init(
        issuer: String, resource: ResourceID, keys: KeySource = .issuerMetadata,
        tokenCheck: (any TokenCheck)? = nil, configuration: Configuration = Configuration()
    ) throws(ConfigurationError) {
        try self.init(
            issuer: issuer, resource: resource, keys: keys, tokenCheck: tokenCheck,
            configuration: configuration, clock: GuardClock())
    }

    /// As above, by the text of the resource id.
    public convenience init(
        issuer: String, resource: String, keys: KeySource = .issuerMetadata,
        tokenCheck: (any TokenCheck)? = nil, configuration: Configuration = Configuration()
    ) throws(ConfigurationError) {
        guard let resource = try? ResourceID(resource) else {
            throw ConfigurationError("not a resource id: \(resource.debugDescription)")
        }
        try self.init(
            issuer: issuer, resource: resource, keys: keys, tokenCheck: tokenCheck,
            configuration: configuration)
    }

    init(
        issuer: String, resource: ResourceID, keys: KeySource, tokenCheck: (any TokenCheck)?,
        configuration: Configuration, clock: GuardClock
    ) throws(ConfigurationError) {
        guard (0...60).contains(configuration.leeway) else {
            throw ConfigurationError("leeway is 0 to 60 seconds, not \(configuration.leeway)")
        }
        let loader = try KeyLoader(
            keys, issuer: issuer, allowsPlainHTTP: configuration.allowsPlainHTTP,
            deadline: configuration.fetchDeadline,
            certificates: try configuration.trustedCertificates.openedForGuard())
        let cache = try KeyCache(
            loader, policy: KeyCachePolicy(configuration), clock: clock, log: configuration.log)
        verifier = TokenVerifier(
            issuer: issuer, resource: resource, leeway: Double(configuration.leeway), keys: cache,
            clock: clock)
        remembered = VerifiedTokens(capacity: configuration.rememberedTokens)
        metadataURL = try Self.metadataURL(configuration, resource)
        challenge = Challenge(realm: resource.value, metadataURL: metadataURL?.text)
        self.issuer = issuer
        self.resource = resource
        self.tokenCheck = tokenCheck
        checksTokens = tokenCheck != nil
        checkOutage = configuration.checkOutage
        log = configuration.log
    }

    /// Lets a request in, or says why not.
    /// - Parameters:
    ///   - authorizationFields: the values of all Authorization headers of the request; there must be one.
    ///   - scopes: what the token must grant; all of them. With none, any token for this resource is let in.
    /// - Throws: `Refusal`
    public nonisolated(nonsending) func authorize(
        _ authorizationFields: [String], requiring scopes: Scopes = Scopes()
    ) async throws(Refusal) -> Access {
        guard authorizationFields.count < 2 else {
            throw refusal(.repeatedHeader, "the request has more than one Authorization header")
        }
        return try await authorize(authorizationFields.first, requiring: scopes)
    }

    /// Lets a request in, or says why not. For frameworks that give a header once: where two Authorization
    /// headers may arrive joined or one may hide the other, hand over all of them.
    /// - Parameters:
    ///   - authorization: the value of the Authorization header; nil when there is none.
    ///   - scopes: what the token must grant; all of them. With none, any token for this resource is let in.
    /// - Throws: `Refusal`
    public nonisolated(nonsending) func authorize(
        _ authorization: String?, requiring scopes: Scopes = Scopes()
    ) async throws(Refusal) -> Access {
        guard let authorization else { throw noCredentials(LogDetail.noHeader) }
        let token: VerifiedToken
        if let known = recall(authorization), await isStillTrusted(known), !hasExpired(known) {
            token = known
        } else {
            switch try verifyAtOnce(authorization) {
            case .verified(let verified): token = verified
            case .needsKey(let read): token = try await verify(read, of: authorization)
            }
            remembered?.insert(token)
        }
        if checksTokens, let tokenCheck { try await check(token, with: tokenCheck) }
        guard token.claims.scopes.isSuperset(of: scopes) else {
            throw insufficientScope(token.claims, needed: scopes)
        }
        return Access(token: token, resource: resource)
    }

    /// The remembered token of a header, which may have expired.
    private func recall(_ authorization: String) -> VerifiedToken? {
        guard let remembered else { return nil }
        let value = authorization.utf8.span
        guard let offset = BearerHeader.usualOffset(value),
            let token = remembered.find(value.extracting(offset..<value.count))
        else { return nil }
        return token
    }

    private func hasExpired(_ token: VerifiedToken) -> Bool {
        verifier.clock.date() >= token.claims.expiresAt
    }

    /// Whether the key that it was verified with is still trusted. While the keys are fresh this costs nothing.
    private nonisolated(nonsending) func isStillTrusted(_ token: VerifiedToken) async -> Bool {
        if !verifier.keys.isQuiet, !(await verifier.keys.refreshIfDue()) { return false }
        return token.keyRevision == verifier.keys.revision
    }

    private func verifyAtOnce(_ authorization: String) throws(Refusal) -> TokenVerifier.AtOnce {
        let text = try bearerToken(authorization)
        do throws(TokenVerifier.Fault) {
            return try verifier.verifyAtOnce(text)
        } catch {
            throw refusal(of: authorization, because: error)
        }
    }

    private nonisolated(nonsending) func verify(
        _ token: UnverifiedAccessToken, of authorization: String
    ) async throws(Refusal) -> VerifiedToken {
        do throws(TokenVerifier.Fault) {
            return try await verifier.verify(token)
        } catch {
            throw refusal(of: authorization, because: error)
        }
    }

    private func refusal(of authorization: String, because fault: TokenVerifier.Fault) -> Refusal {
        // What holds another character than a header may have is no token either, and was not looked for before.
        if BearerHeader.read(authorization.utf8.span) == .malformed { return malformedHeader() }
        return refusal(
            fault.reason, fault.explanation, logDetail: fault.logDetail, clientID: fault.clientID,
            retryAfter: fault.retryAfter)
    }

    private func bearerToken(_ authorization: String) throws(Refusal) -> TokenText {
        let value = authorization.utf8.span
        guard value.count <= CompactJWS.defaultMaximumBytes + 64 else {
            throw refusal(.tokenTooLong, "the Authorization header is too long")
        }
        if let offset = BearerHeader.usualOffset(value), value[offset] != UInt8(ascii: " ") {
            return tokenText(authorization, from: offset)
        }
        switch BearerHeader.read(value) {
        case .anotherScheme: throw noCredentials(LogDetail.anotherScheme)
        case .noScheme: throw noCredentials(LogDetail.noScheme)
        case .malformed: throw malformedHeader()
        case .token(let offset): return tokenText(authorization, from: offset)
        }
    }

    private func tokenText(_ authorization: String, from offset: Int) -> TokenText {
        let text = TokenText(authorization, from: offset)
        // A check takes it as bytes each time that the token comes.
        return checksTokens ? TokenText(text.bytes) : text
    }

    private nonisolated(nonsending) func check(
        _ token: VerifiedToken, with tokenCheck: any TokenCheck
    ) async throws(Refusal) {
        let isActive: Bool
        do throws(TokenCheckError) {
            isActive = try await tokenCheck.isActive(
                tokenID: token.claims.tokenID, clientID: token.claims.clientID, token: token.text.bytes)
        } catch {
            // Whoever ends its own request is told nothing, and gets nothing by it.
            let isLetThrough = checkOutage == .letThrough && error != .cancelled && !Task.isCancelled
            log(.checkFailed(reason: error, isLetThrough: isLetThrough))
            if isLetThrough { return }
            throw refusal(
                .checkUnavailable, "the token cannot be checked now: try again later",
                logDetail: LogDetail.identity(token.claims) + "; \(error)", clientID: token.claims.clientID,
                retryAfter: .seconds(1))
        }
        guard isActive else { throw inactive(token, of: tokenCheck) }
    }

    /// What a token is that the check calls inactive. A store forgets a token when it expires, and has no leeway.
    private func inactive(_ token: VerifiedToken, of tokenCheck: any TokenCheck) -> Refusal {
        let (claims, now) = (token.claims, verifier.clock.date())
        guard now < claims.expiresAt else {
            return refusal(
                .expired, AccessTokenError.expired.description,
                logDetail: LogDetail.expired(claims, now: now), clientID: claims.clientID)
        }
        return refusal(
            .revoked,
            "the token is not active: it was revoked, or is not in the token store that this guard asks",
            logDetail: LogDetail.identity(claims) + "; "
                + tokenCheck.advice(forInactiveTokensOf: resource), clientID: claims.clientID)
    }

    private func insufficientScope(_ claims: AccessTokenClaims, needed scopes: Scopes) -> Refusal {
        refusal(
            .insufficientScope, "the token lacks the scope: \(scopes.subtracting(claims.scopes))",
            logDetail: LogDetail.lackingScope(claims), clientID: claims.clientID, requiredScopes: scopes)
    }

    private func noCredentials(_ detail: String) -> Refusal {
        refusal(
            .noCredentials, "an access token is needed: send it as Authorization: Bearer", logDetail: detail)
    }

    private func malformedHeader() -> Refusal {
        refusal(.malformedHeader, "the Authorization header is not: Bearer, a space, a token")
    }

    private func refusal(
        _ reason: RefusalReason, _ explanation: String, logDetail: String = "", clientID: ClientID? = nil,
        retryAfter: Duration? = nil, requiredScopes: Scopes? = nil
    ) -> Refusal {
        Refusal(
            reason, explanation, challenge: challenge, logDetail: logDetail, clientID: clientID,
            retryAfter: retryAfter, requiredScopes: requiredScopes)
    }
}
