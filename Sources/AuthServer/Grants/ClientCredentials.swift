import AccessToken
import AuthStore
import JOSE
import OAuth
import OpenSSLCrypto

/// The client-credentials grant (RFC 6749 §4.4) with resource indicators (RFC 8707).
enum ClientCredentials {
    /// `grant_type`.
    static let grantType = "client_credentials"

    /// A signed token. Until it is in the store nobody may have it.
    ///
    /// An object, because it is all that a request keeps while it waits for the store.
    final class SignedToken: Sendable {
        /// The token in compact form, as ASCII.
        let text: [UInt8]
        /// What it says.
        let claims: AccessTokenClaims
        /// What the store is to keep of it.
        let stored: StoredToken
        /// Which of its secrets the client sent.
        let secretID: String
        /// What the log is to say of the request.
        let remark: String?

        fileprivate init(
            _ text: [UInt8], _ claims: AccessTokenClaims, _ stored: StoredToken, secretID: String,
            remark: String?
        ) {
            self.secretID = secretID
            self.remark = remark
            self.text = text
            self.claims = claims
            self.stored = stored
        }
    }

    /// Decides, and signs a token.
    /// - Throws: `invalid_target`, `invalid_scope`, or `temporarily_unavailable` where there is no key.
    static func sign(
        for authenticated: AuthenticatedClient, _ parameters: FormParameters, worker: Worker
    ) throws(Failure) -> SignedToken {
        let client = authenticated.client
        let decision: GrantPolicy.Decision
        do { decision = try decide(client, parameters) } catch {
            throw Failure(
                error, client: LoggedClient(client),
                detail: GrantRefusal(
                    error: error, client: client, isResource: worker.registry.knows,
                    isScope: worker.registry.knows
                ).detail(parameters))
        }
        let now = worker.clock()
        let time = IssueTime(now: now, asOf: worker.registry.asOf, ended: client.tokensRevokedAtMilliseconds)
        let claims = claims(for: client, decision, issuer: worker.issuer.value, at: time.told)
        let text = try sign(claims, for: client, worker: worker, at: now)
        do throws(OAuthError) { try TokenSize.check(text, for: decision) } catch {
            throw Failure(error, client: LoggedClient(client), detail: error.description)
        }
        let stored = StoredToken(
            tokenID: claims.tokenID, clientID: client.id, issuedAtMilliseconds: time.counted,
            expiresAt: claims.expiresAt)
        return SignedToken(
            text, claims, stored, secretID: authenticated.secretID, remark: remark(on: parameters))
    }

    /// A parameter that is not known has to be ignored (RFC 6749 §3.2); this one is of other servers, and the token has a
    /// wider audience than was meant.
    private static func remark(on parameters: FormParameters) -> String? {
        parameters["audience"] == nil
            ? nil : "the parameter audience is not read: resources are named by resource (RFC 8707)"
    }

    private static func decide(
        _ client: RegisteredClient, _ parameters: FormParameters
    ) throws(OAuthError) -> GrantPolicy.Decision {
        var resources: [ResourceID] = []
        for text in parameters.values("resource") {
            guard let resource = try? ResourceID(text) else { throw .invalidTarget }
            resources.append(resource)
        }
        return try GrantPolicy.decide(
            held: client.grants, resources: resources, requested: try scopes(parameters["scope"]))
    }

    /// The requested scopes; none for an empty or missing parameter.
    private static func scopes(_ text: String?) throws(OAuthError) -> Scopes {
        guard let text else { return Scopes() }
        do throws(VocabularyError) { return try Scopes(value: text) } catch {
            throw .invalidScope(
                "a scope is visible ASCII characters other than quote and backslash, separated by spaces")
        }
    }

    private static func claims(
        for client: RegisteredClient, _ decision: GrantPolicy.Decision, issuer: String, at now: Milliseconds
    ) -> AccessTokenClaims {
        let seconds = now / 1000
        return AccessTokenClaims(
            issuer: issuer, audience: decision.audience, clientID: client.id, issuedAt: seconds,
            expiresAt: seconds + client.tokenLifetime, tokenID: .random(at: now), scopes: decision.scopes)
    }

    private static func sign(
        _ claims: AccessTokenClaims, for client: RegisteredClient, worker: Worker, at now: Milliseconds
    ) throws(Failure) -> [UInt8] {
        do {
            if let encoder = try worker.keys.encoder(at: now) { return try encoder.encode(claims) }
        } catch {
            throw Failure(
                .temporarilyUnavailable(retryAfter: 5), client: LoggedClient(client), detail: "\(error)")
        }
        throw Failure(
            .temporarilyUnavailable(retryAfter: 5), client: LoggedClient(client),
            detail: "there is no signing key: make one with `authserver key rotate --now`")
    }
}
