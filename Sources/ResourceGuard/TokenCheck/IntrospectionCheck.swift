internal import JOSE
public import OAuth
internal import OpenSSLCrypto
public import OutboundHTTP
internal import Synchronization

/// Asks the authorization server at each request whether the token is active (RFC 7662).
///
/// The caller is a client that owns the resource. Without an answer there is no access, unless the guard is
/// configured otherwise.
public final class IntrospectionCheck: TokenCheck {
    private let endpoint: EndpointURL
    private let clientID: String
    private let credentials: CredentialsSource
    private let deadline: Duration
    private let http: OutboundHTTP
    private let remembers: Bool
    private let memory: Mutex<IntrospectionMemory>

    /// A check at this introspection endpoint.
    /// - Parameters:
    ///   - endpoint: https, or http on the loopback interface.
    ///   - clientID: the client that owns the resource, for any other all tokens are inactive; it authenticates by HTTP Basic (RFC 6749 §2.3.1).
    ///   - cacheSeconds: for how long an answer is remembered: a revoked token works that much longer. 0 for not.
    ///   - deadline: the time in which an answer must come.
    ///   - maximumPending: how many questions may wait; more have no answer.
    ///   - allowsPlainHTTP: lets secret and tokens be sent over plain http beyond the loopback interface.
    ///   - trustedCertificates: which certificates vouch for the authorization server.
    /// - Throws: `ResourceGuard.ConfigurationError`
    public convenience init(
        endpoint: String, clientID: String, clientSecret: String, cacheSeconds: Int = 0,
        deadline: Duration = .seconds(2), maximumPending: Int = 1024, allowsPlainHTTP: Bool = false,
        trustedCertificates: TrustedCertificates = .system
    ) throws(ResourceGuard.ConfigurationError) {
        try self.init(
            endpoint, clientID,
            .fixed(ClientCredentials(clientID: clientID, secret: clientSecret, method: .basic)),
            cacheSeconds, deadline, maximumPending, allowsPlainHTTP, trustedCertificates)
    }

    /// A check as above, whose client has its secret in a file.
    ///
    /// The file is read again at each question, so that a secret that is replaced needs no restart. It is a regular file,
    /// or a link that leads to one, of at most 4 KiB, with the secret on its one line. Where it is out of order there is
    /// no answer, and the log says so.
    /// - Throws: `ResourceGuard.ConfigurationError`, also when the file has no secret.
    public convenience init(
        endpoint: String, clientID: String, clientSecretFile: String, cacheSeconds: Int = 0,
        deadline: Duration = .seconds(2), maximumPending: Int = 1024, allowsPlainHTTP: Bool = false,
        trustedCertificates: TrustedCertificates = .system
    ) throws(ResourceGuard.ConfigurationError) {
        let source = CredentialsSource.file(
            SecretFile(clientSecretFile), clientID: clientID, method: .basic)
        do throws(SecretFileError) { _ = try source.read() } catch {
            throw ResourceGuard.ConfigurationError("clientSecretFile: \(error)")
        }
        try self.init(
            endpoint, clientID, source, cacheSeconds, deadline, maximumPending, allowsPlainHTTP,
            trustedCertificates)
    }

    private init(
        _ endpoint: String, _ clientID: String, _ credentials: CredentialsSource, _ cacheSeconds: Int,
        _ deadline: Duration, _ maximumPending: Int, _ allowsPlainHTTP: Bool,
        _ trustedCertificates: TrustedCertificates
    ) throws(ResourceGuard.ConfigurationError) {
        do throws(EndpointURLError) {
            self.endpoint = try EndpointURL(endpoint, allowsPlainHTTP: allowsPlainHTTP)
        } catch {
            throw ResourceGuard.ConfigurationError("the introspection endpoint: \(error)")
        }
        if let trouble = credentials.trouble {
            throw ResourceGuard.ConfigurationError("the introspection check's \(trouble)")
        }
        self.clientID = clientID
        self.credentials = credentials
        self.deadline = deadline.bounded
        http = OutboundHTTP(
            maximumBytes: 64 * 1024, maximumPending: maximumPending,
            certificates: try trustedCertificates.openedForGuard())
        remembers = cacheSeconds > 0
        memory = Mutex(IntrospectionMemory(lifetime: .seconds(cacheSeconds).bounded))
    }

    /// Asks, or remembers.
    public func isActive(
        tokenID: TokenID, clientID: ClientID, token: [UInt8]
    ) async throws(TokenCheckError) -> Bool {
        let asked = (id: tokenID, client: clientID)
        guard remembers else { return try await ask(token, asked) }
        // The digest, so that no token stays in memory for this.
        let digest = SHA256.digest(token)
        if let known = memory.withLock({ $0.answer(for: digest, now: .now) }) { return known }
        let askedAt = ContinuousClock.now
        let answer = try await ask(token, asked)
        memory.withLock { $0.remember(answer, for: digest, now: askedAt) }
        return answer
    }

    /// The server tells a client of its own tokens and of those for resources that it owns; all others it calls
    /// inactive.
    public func advice(forInactiveTokensOf resource: ResourceID) -> String {
        let (resource, client) = (LogText.quoted(resource.value), LogText.quoted(clientID))
        return
            "if it was not revoked: the client of the introspection check must be the owner of the resource: "
            + "authserver resource set \(resource) --owner \(client)"
    }

    private func ask(
        _ token: [UInt8], _ asked: (id: TokenID, client: ClientID)
    ) async throws(TokenCheckError) -> Bool {
        let form = [
            (name: "token", value: String(decoding: token, as: UTF8.self)),
            (name: "token_type_hint", value: "access_token"),
        ]
        let presented: ClientCredentials
        do throws(SecretFileError) { presented = try credentials.read() } catch {
            throw .unavailable("clientSecretFile: \(error)")
        }
        let end = ContinuousClock.now + deadline
        let response = try await send(presented.post(endpoint, form: form), by: end)
        guard response.status == 401, let next = credentials.successor(of: presented) else {
            return try read(response, asked)
        }
        return try read(await send(next.post(endpoint, form: form), by: end), asked)
    }

    private func send(
        _ request: OutboundRequest, by end: ContinuousClock.Instant
    ) async throws(TokenCheckError) -> OutboundResponse {
        do throws(OutboundError) {
            return try await http.send(request, deadline: max(.zero, end - .now))
        } catch {
            switch error {
            case .timedOut: throw .timedOut
            case .overloaded: throw .overloaded
            case .cancelled: throw .cancelled
            default: throw .unavailable("\(endpoint): \(error)")
            }
        }
    }

    /// Reads the answer (RFC 7662 §2.2); `active` must be there and a boolean, and what else says whom the answer is
    /// about must say that it is about this token.
    private func read(
        _ response: OutboundResponse, _ asked: (id: TokenID, client: ClientID)
    ) throws(TokenCheckError) -> Bool {
        switch response.status {
        case 200: return try Self.read(response.body, asked, from: endpoint)
        case 401:
            throw .unavailable("\(endpoint) answered status 401: check the client id and secret of the check")
        case 404, 405:
            throw .unavailable(
                "\(endpoint) answered status \(response.status): check the endpoint of the check: it is the "
                    + "introspection_endpoint of the issuer's metadata")
        default: throw .unavailable("\(endpoint) answered status \(response.status)")
        }
    }

    private static func read(
        _ body: [UInt8], _ asked: (id: TokenID, client: ClientID), from endpoint: EndpointURL
    ) throws(TokenCheckError) -> Bool {
        let answer = try? JSON.parse(body)
        guard let members = answer?.object, case .bool(let isActive)? = members["active"] else {
            throw .unavailable(
                "\(endpoint): the introspection answer is no JSON object with a boolean active")
        }
        for (name, value) in [("jti", asked.id.value), ("client_id", asked.client.value)] {
            guard let stated = members[name] else { continue }
            guard stated.string?.isExactly(value) == true else {
                throw .unavailable(
                    "\(endpoint): the introspection answer is about another token: its \(name) is another")
            }
        }
        return isActive
    }
}
