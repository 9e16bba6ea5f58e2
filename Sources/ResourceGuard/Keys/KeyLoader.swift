internal import JOSE
internal import OperatingSystem
internal import OutboundHTTP

/// Brings the key set from where the configuration says, once; says why when it cannot.
struct KeyLoader: Sendable {
    /// Keys that were brought.
    struct Loaded: Sendable {
        let keys: TrustedKeys
        /// How long they are fresh; nil where the source does not say.
        let age: Duration?
        /// Why members of the set are not used.
        let skipped: [String]
    }

    /// Why there are no keys; for the log.
    struct Failure: Error, Sendable, CustomStringConvertible {
        let description: String
    }

    private enum Place: Sendable {
        case metadata(issuer: EndpointURL, at: EndpointURL)
        case url(EndpointURL)
        case file(String)
        case text([UInt8])
    }

    private static let maximumBytes = 256 * 1024
    private let place: Place
    private let http: OutboundHTTP
    private let deadline: Duration

    init(
        _ source: KeySource, issuer: String, allowsPlainHTTP: Bool, deadline: Duration,
        certificates: CertificateFile?
    ) throws(ResourceGuard.ConfigurationError) {
        do throws(EndpointURLError) {
            switch source {
            case .issuerMetadata:
                let issuer = try EndpointURL(issuer, allowsPlainHTTP: allowsPlainHTTP)
                place = .metadata(issuer: issuer, at: try ServerMetadata.location(of: issuer))
            case .jwksURL(let url): place = .url(try EndpointURL(url, allowsPlainHTTP: allowsPlainHTTP))
            case .jwksFile(let path): place = .file(path)
            case .jwks(let text): place = .text(Array(text.utf8))
            }
        } catch {
            throw ResourceGuard.ConfigurationError("the source of the issuer's keys: \(error)")
        }
        self.deadline = deadline.bounded
        http = OutboundHTTP(
            maximumBytes: Self.maximumBytes, maximumPending: 4, certificates: certificates)
    }

    /// Whether the keys are at hand without a wait, so that a mistake in them shows at the start.
    var isLocal: Bool {
        switch place {
        case .file, .text: true
        case .metadata, .url: false
        }
    }

    /// Reads keys that are at hand.
    /// - Parameter patience: how long a file that is a pipe may take.
    func loadLocal(patience: Duration) throws(Failure) -> Loaded {
        switch place {
        case .text(let bytes): return try Self.parse(bytes, age: .seconds(24 * 3600))
        case .file(let path):
            let file: SmallFile
            do throws(SmallFile.Refusal) {
                file = try SmallFile(path: path, maximumBytes: Self.maximumBytes, patience: patience)
            } catch {
                throw Failure(description: "the key file \(path) \(error)")
            }
            return try Self.parse(file.content, age: .seconds(60))
        case .metadata, .url: throw Failure(description: "the keys are on another server")
        }
    }

    /// Brings the keys within the deadline.
    func load() async throws(Failure) -> Loaded {
        switch place {
        case .file, .text: return try loadLocal(patience: .zero)  // who waits here blocks other tasks
        case .url(let url): return try await fetchSet(url, by: .now + deadline)
        case .metadata(let issuer, let location):
            let end = ContinuousClock.now + deadline
            let metadata = try await fetchMetadata(issuer, location, by: end)
            guard let keys = metadata.keys else {
                throw Failure(description: "\(location): the issuer's metadata names no jwks_uri")
            }
            return try await fetchSet(keys, by: end)
        }
    }

    private func fetchMetadata(
        _ issuer: EndpointURL, _ location: EndpointURL, by end: ContinuousClock.Instant
    ) async throws(Failure) -> ServerMetadata {
        let response = try await fetch(location, by: end)
        do throws(ServerMetadata.Invalid) {
            return try ServerMetadata(response, issuer: issuer)
        } catch {
            throw Failure(description: "\(location): \(error)")
        }
    }

    private func fetchSet(_ url: EndpointURL, by end: ContinuousClock.Instant) async throws(Failure) -> Loaded
    {
        let response = try await fetch(url, by: end)
        guard response.status == 200 else {
            throw Failure(description: "\(url) answered status \(response.status)")
        }
        let age = CacheControl.age(
            cacheControl: response.fields["cache-control"], age: response.fields["age"])
        do throws(Failure) {
            return try Self.parse(response.body, age: age)
        } catch {
            throw Failure(description: "\(url): \(error)")
        }
    }

    private func fetch(
        _ url: EndpointURL, by end: ContinuousClock.Instant
    ) async throws(Failure) -> OutboundResponse {
        do throws(OutboundError) {
            return try await http.send(.get(url), deadline: max(.zero, end - .now))
        } catch {
            throw Failure(description: "\(url): \(error)")
        }
    }

    /// A set without a usable key is a failure: a server in trouble must not take the good keys away.
    private static func parse(_ bytes: [UInt8], age: Duration?) throws(Failure) -> Loaded {
        let set: JWKSet
        do throws(JWKError) {
            set = try JWKSet(parsing: bytes.span)
        } catch {
            throw Failure(description: "not a JWK Set: \(error)")
        }
        let keys = TrustedKeys(set)
        guard keys.count > 0 else { throw Failure(description: "the JWK Set has no usable key") }
        return Loaded(keys: keys, age: age, skipped: set.skipped.map { "number \($0.index): \($0.reason)" })
    }
}
