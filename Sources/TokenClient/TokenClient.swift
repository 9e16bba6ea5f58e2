internal import OutboundHTTP
internal import Synchronization

/// Obtains access tokens by the client-credentials grant (RFC 6749 §4.4), keeps them and renews them in good
/// time. Make one and share it: from any number of tasks, on any executor.
public final class TokenClient: Sendable {
    /// How the client authenticates at the token endpoint (RFC 6749 §2.3.1).
    public enum Authentication: Sendable {
        /// HTTP Basic: `client_secret_basic`.
        case basic
        /// In the form: `client_secret_post`.
        case post

        var method: ClientCredentials.Method {
            switch self {
            case .basic: .basic
            case .post: .post
            }
        }
    }

    private struct Shared {
        var book: TokenBook
        var flights: [TokenBook.Purpose: Flight<Result<AccessToken, TokenClientError.Reason>>] = [:]
    }

    private let shared: Mutex<Shared>
    private let clientID: String
    private let fetcher: TokenFetcher

    /// A client of the issuer whose metadata names the token endpoint (RFC 8414 §3).
    /// - Throws: `ConfigurationError` when the issuer is not an https URL, or http on the loopback interface, and when a
    ///   file of trusted certificates cannot be used.
    public convenience init(
        issuer: String, clientID: String, clientSecret: String, authentication: Authentication = .basic,
        configuration: Configuration = Configuration()
    ) throws(ConfigurationError) {
        try self.init(
            Self.place(issuer: issuer, configuration), clientID,
            .fixed(
                ClientCredentials(clientID: clientID, secret: clientSecret, method: authentication.method)),
            configuration)
    }

    /// A client of the token endpoint at this URL.
    /// - Throws: `ConfigurationError` when it is not an https URL, or http on the loopback interface, and when a file of
    ///   trusted certificates cannot be used.
    public convenience init(
        tokenEndpoint: String, clientID: String, clientSecret: String,
        authentication: Authentication = .basic, configuration: Configuration = Configuration()
    ) throws(ConfigurationError) {
        try self.init(
            Self.place(tokenEndpoint: tokenEndpoint, configuration), clientID,
            .fixed(
                ClientCredentials(clientID: clientID, secret: clientSecret, method: authentication.method)),
            configuration)
    }

    init(
        _ place: TokenFetcher.Place, _ clientID: String, _ credentials: CredentialsSource,
        _ configuration: Configuration
    ) throws(ConfigurationError) {
        if let trouble = credentials.trouble { throw ConfigurationError(trouble) }
        self.clientID = clientID
        let certificates: CertificateFile?
        do throws(CertificateFileError) {
            certificates = try configuration.trustedCertificates.opened()
        } catch {
            throw ConfigurationError("trustedCertificates: \(error)")
        }
        fetcher = TokenFetcher(
            place, credentials: credentials, deadline: configuration.deadline, certificates: certificates)
        shared = Mutex(Shared(book: TokenBook(capacity: configuration.maximumTokens)))
    }

    static func place(
        issuer: String, _ configuration: Configuration
    ) throws(ConfigurationError) -> TokenFetcher.Place {
        do throws(EndpointURLError) {
            let issuer = try EndpointURL(issuer, allowsPlainHTTP: configuration.allowsPlainHTTP)
            return .issuer(issuer, metadata: try ServerMetadata.location(of: issuer))
        } catch {
            throw ConfigurationError("issuer: \(error)")
        }
    }

    static func place(
        tokenEndpoint: String, _ configuration: Configuration
    ) throws(ConfigurationError) -> TokenFetcher.Place {
        do throws(EndpointURLError) {
            return .endpoint(
                try EndpointURL(tokenEndpoint, allowsPlainHTTP: configuration.allowsPlainHTTP))
        } catch {
            throw ConfigurationError("tokenEndpoint: \(error)")
        }
    }

    /// A token for this resource and these scopes; none named means all that the client holds there.
    ///
    /// Answers at once from what is kept. Else it waits, within the configured deadline, for the one request that
    /// is under way for all who need this token; cancelling one of them ends only its own wait.
    public nonisolated(nonsending) func token(
        resource: ResourceID, scopes: Scopes = Scopes()
    ) async throws(TokenClientError) -> AccessToken {
        do throws(TokenClientError.Reason) {
            return try await token(TokenBook.Purpose(resource: resource, scopes: scopes))
        } catch {
            throw TokenClientError(reason: error, clientID: clientID, resource: resource, scopes: scopes)
        }
    }

    private nonisolated(nonsending) func token(
        _ purpose: TokenBook.Purpose
    ) async throws(TokenClientError.Reason) -> AccessToken {
        let (step, flight) = shared.withLock { shared in
            let step = shared.book.need(purpose, now: .now)
            if step.startsRequest { shared.flights[purpose] = Flight() }
            return (step, shared.flights[purpose])
        }
        if step.startsRequest, let flight { startRequest(purpose, flight) }
        switch step.decision {
        case .use(let token): return token
        case .fail(let error): throw error
        case .wait:
            guard let result = await flight?.value() else {
                throw Task.isCancelled ? .cancelled : .overloaded
            }
            return try result.get()
        }
    }

    /// Forgets a token that a service answered with 401 `invalid_token`, so that the next call obtains another.
    /// A newer token that was obtained meanwhile stays. Where another was forgotten less than a second ago, it is used until
    /// that second is over: a service that refuses every token would have its callers ask for one at each request.
    public func invalidate(_ token: AccessToken) {
        shared.withLock { $0.book.invalidate(token, now: .now) }
    }

    /// The request belongs to no caller: it goes on when the one that caused it is cancelled. It ends by the
    /// fetcher's deadline.
    private func startRequest(
        _ purpose: TokenBook.Purpose, _ flight: Flight<Result<AccessToken, TokenClientError.Reason>>
    ) {
        Task {
            var sentAt = ContinuousClock.now
            var result: Result<TokenResponse, TokenClientError.Reason>
            do throws(TokenClientError.Reason) {
                let fetched = try await fetcher.fetch(purpose)
                sentAt = fetched.sentAt
                result = .success(fetched.response)
            } catch {
                result = .failure(error)
            }
            shared.withLock { shared in
                shared.book.finish(purpose, result, requestedAt: sentAt, now: .now)
                shared.flights[purpose] = nil
            }
            flight.land(result.map(\.token))
        }
    }
}
