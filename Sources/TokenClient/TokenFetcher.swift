internal import OutboundHTTP
internal import Synchronization

/// Asks the token endpoint until there is an answer or the deadline ends.
final class TokenFetcher: Sendable {
    /// Where the token endpoint is.
    enum Place: Sendable {
        case endpoint(EndpointURL)
        /// In the metadata of this issuer (RFC 8414 §2).
        case issuer(EndpointURL, metadata: EndpointURL)
    }

    private enum Attempt: Error {
        case final(TokenClientError.Reason)
        /// Time may mend it; else this is why there is no token.
        case transient(TokenClientError.Reason, retryAfter: Duration? = nil)
    }

    private static let attemptDeadline = Duration.seconds(5)
    private let place: Place
    private let credentials: CredentialsSource
    private let deadline: Duration
    private let policy = RetryPolicy()
    private let http: OutboundHTTP
    private let discovered = Mutex<EndpointURL?>(nil)

    init(
        _ place: Place, credentials: CredentialsSource, deadline: Duration, certificates: CertificateFile?
    ) {
        http = OutboundHTTP(maximumBytes: 64 * 1024, maximumPending: 256, certificates: certificates)
        self.place = place
        self.credentials = credentials
        self.deadline = deadline
    }

    /// Obtains a token, and says when the request that brought it was sent.
    func fetch(
        _ purpose: TokenBook.Purpose
    ) async throws(TokenClientError.Reason) -> (response: TokenResponse, sentAt: ContinuousClock.Instant) {
        let end = ContinuousClock.now + deadline
        var attempts = 0
        var known: TokenClientError.Reason?
        while true {
            attempts += 1
            do throws(Attempt) {
                let sentAt = ContinuousClock.now
                return (try await attempt(purpose, by: end), sentAt)
            } catch {
                switch error {
                case .final(let error): throw error
                case .transient(let latest, let retryAfter):
                    // An attempt that the end cut short has found out less than the one before it.
                    let reason = .now < end ? latest : known ?? latest
                    do throws(TokenClientError.Reason) {
                        try await pause(reason, retryAfter, attempts, by: end)
                    } catch {
                        // Perhaps the endpoint has moved: look again next time.
                        discovered.withLock { $0 = nil }
                        throw error
                    }
                    known = reason
                }
            }
        }
    }

    private func pause(
        _ reason: TokenClientError.Reason, _ retryAfter: Duration?, _ attempts: Int,
        by end: ContinuousClock.Instant
    ) async throws(TokenClientError.Reason) {
        let next = policy.next(
            afterAttempts: attempts, retryAfter: retryAfter, remaining: end - .now,
            jitter: .random(in: 0..<1))
        guard case .retry(let wait) = next, (try? await Task.sleep(for: wait)) != nil else {
            throw reason
        }
    }

    private func attempt(
        _ purpose: TokenBook.Purpose, by end: ContinuousClock.Instant
    ) async throws(Attempt) -> TokenResponse {
        let endpoint = try await locate(by: end)
        var form = [("grant_type", "client_credentials"), ("resource", purpose.resource.value)]
        if !purpose.scopes.isEmpty { form.append(("scope", purpose.scopes.description)) }
        let response = try await send(form, to: endpoint, by: end)
        do throws(TokenClientError.Reason) {
            guard response.status == 200 else { throw TokenResponse.refusal(response) }
            return try TokenResponse(response.body, requested: purpose.scopes)
        } catch {
            // What answers so is perhaps no token endpoint any more: look again next time.
            if !TokenResponse.isRefusalOfTokenEndpoint(response) { discovered.withLock { $0 = nil } }
            throw .final(error)
        }
    }

    private func send(
        _ form: [(name: String, value: String)], to endpoint: EndpointURL, by end: ContinuousClock.Instant
    ) async throws(Attempt) -> OutboundResponse {
        let presented: ClientCredentials
        do throws(SecretFileError) { presented = try credentials.read() } catch {
            throw .transient(.unusableSecret("clientSecretFile: \(error)"))
        }
        let response = try await send(presented.post(endpoint, form: form), by: end)
        // RFC 6749 §5.2: the client, and so perhaps its secret, is refused.
        guard response.status == 401, let next = credentials.successor(of: presented) else { return response }
        return try await send(next.post(endpoint, form: form), by: end)
    }

    private func locate(by end: ContinuousClock.Instant) async throws(Attempt) -> EndpointURL {
        switch place {
        case .endpoint(let endpoint): return endpoint
        case .issuer(let issuer, let location):
            if let known = discovered.withLock({ $0 }) { return known }
            let response = try await send(.get(location), by: end)
            let endpoint = try Self.endpoint(response, issuer, location)
            discovered.withLock { $0 = endpoint }
            return endpoint
        }
    }

    private static func endpoint(
        _ response: OutboundResponse, _ issuer: EndpointURL, _ location: EndpointURL
    ) throws(Attempt) -> EndpointURL {
        let metadata: ServerMetadata
        do throws(ServerMetadata.Invalid) {
            metadata = try ServerMetadata(response, issuer: issuer)
        } catch {
            throw .final(.unusableMetadata("\(error) (\(location))"))
        }
        guard let endpoint = metadata.tokenEndpoint else {
            throw .final(.unusableMetadata("the issuer's metadata names no token_endpoint (\(location))"))
        }
        return endpoint
    }

    /// Sends one request; what time may mend is thrown as transient.
    private func send(
        _ request: OutboundRequest, by end: ContinuousClock.Instant
    ) async throws(Attempt) -> OutboundResponse {
        let response: OutboundResponse
        do throws(OutboundError) {
            response = try await http.send(
                request, deadline: min(Self.attemptDeadline, max(.zero, end - .now)))
        } catch {
            switch error {
            case .tooLarge: throw .final(.malformedAnswer("longer than 64 KiB"))
            case .untrusted: throw .final(.untrustedServer("\(request.url): \(error)"))
            default: throw .transient(.unavailable(reason: "\(request.url): \(error)", retryAfter: nil))
            }
        }
        guard !RetryPolicy.isTransient(status: response.status) else {
            let reason =
                "\(request.url) answered status \(response.status)" + TokenResponse.requestID(response)
            throw .transient(
                .unavailable(reason: reason, retryAfter: response.retryAfter), retryAfter: response.retryAfter
            )
        }
        return response
    }
}
