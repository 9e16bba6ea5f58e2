import AuthStore
import HTTP
import OAuth

/// Decides whether presented credentials are those of a registered client.
enum ClientAuthenticator {
    /// An attempt that was let in, with what it presents.
    struct Attempt {
        fileprivate let request: HTTPRequest
        fileprivate let credentials: PresentedCredentials
        fileprivate var admitted: ClientThrottle.Admitted?
    }

    /// Authenticates the client of a request (RFC 6749 §2.3).
    /// - Throws: `invalid_client` with one text for an unknown client, a wrong secret and a disabled one;
    ///   `unauthorized_client` for a method that the client is not registered for; 429 after too many failures.
    nonisolated(nonsending) static func authenticate(
        _ request: HTTPRequest, _ parameters: FormParameters, worker: Worker
    ) async throws(Failure) -> RegisteredClient {
        let attempt = try begin(request, parameters, worker: worker)
        if let found = try clientAtOnce(attempt, worker: worker) { return found.client }
        return try await client(attempt, worker: worker).client
    }

    /// Reads what a request presents, and lets it in or not: the first step of three.
    /// - Throws: as `authenticate`.
    static func begin(
        _ request: HTTPRequest, _ parameters: FormParameters, worker: Worker
    ) throws(Failure) -> Attempt {
        let credentials: PresentedCredentials
        do { credentials = try PresentedCredentials.read(from: request, parameters) } catch {
            throw Failure(error, of: request)
        }
        let admitted = try worker.throttle?.admit(credentials, from: request.remoteAddress)
        return Attempt(request: request, credentials: credentials, admitted: admitted)
    }

    /// The client, without waiting for anything: the second step, with which nearly all are done.
    /// - Returns: nil where the third, `client(_:worker:)`, has to decide.
    /// - Throws: as `authenticate`.
    static func clientAtOnce(_ attempt: Attempt, worker: Worker) throws(Failure) -> AuthenticatedClient? {
        let readings = attempt.credentials.readings
        guard readings.count <= 1 else { return nil }
        guard let reading = readings.first else {
            return try conclude((nil, nil), of: attempt, worker: worker)
        }
        let (known, answer) = try check(reading.clientID, secrets: [reading.secret], worker: worker)
        switch answer {
        case .accepted(let secretID):
            return try conclude((AuthenticatedClient(known, secretID), known), of: attempt, worker: worker)
        case .refused: return try conclude(refused(known, worker: worker), of: attempt, worker: worker)
        case .undecided: return nil
        }
    }

    /// The client, after a slow check of its secret, or of both readings of it.
    /// - Throws: as `authenticate`.
    nonisolated(nonsending) static func client(
        _ attempt: Attempt, worker: Worker
    ) async throws(Failure) -> AuthenticatedClient {
        var attempt = attempt
        let tried = try await client(of: &attempt, worker: worker)
        return try conclude(tried, of: attempt, worker: worker)
    }

    private static func conclude(
        _ tried: Tried, of attempt: Attempt, worker: Worker
    ) throws(Failure) -> AuthenticatedClient {
        let credentials = attempt.credentials
        guard let found = tried.client else {
            let stated = credentials.readings.first?.clientID
            let logged = stated.map { LoggedClient(tried.known, statedAs: $0) }
            worker.throttle?.failed(attempt.admitted, stated, loggedAs: logged)
            throw Failure(
                .invalidClient(usedBasic: credentials.method == .basic),
                client: logged,
                detail: credentials.readings.isEmpty
                    ? malformed(attempt.request)
                    : refusal(of: tried.known, credentials.readings.map(\.secret), at: worker.clock()))
        }
        let client = found.client
        worker.throttle?.succeeded(client.id, attempt.admitted)
        if let method = client.authenticationMethod, method.rawValue != credentials.method.rawValue {
            throw Failure(
                .unauthorizedClient("this client is registered for \(method.rawValue): authenticate by that"),
                client: LoggedClient(client))
        }
        return found
    }

    private static func malformed(_ request: HTTPRequest) -> String {
        request.value("authorization").map(ClientSecretBasic.isBearer) == true
            ? "the scheme is Bearer: authenticate as a client with HTTP Basic"
            : "the credentials are malformed"
    }

    /// What the log is told and the client is not: it gets one text for all.
    private static func refusal(
        of client: RegisteredClient?, _ secrets: [[UInt8]], at now: Milliseconds
    ) -> String {
        let refusal = SecretCheck.refusal(of: secrets, from: client, at: now)
        guard let client else { return "no client has this id" }
        if client.isDisabled { return "the client is disabled" }
        return switch refusal {
        case .wrong: "the secret is wrong"
        case .wrongOrEnded: "the secret is wrong, or one that has ended"
        case .ended(let secretID): "the secret is \(secretID), which has ended"
        case .allEnded: "all secrets of the client have ended"
        case .none: "the client has no secret"
        }
    }

    /// What came of trying: the client, if its secret was right, and who has that id at all.
    private typealias Tried = (client: AuthenticatedClient?, known: RegisteredClient?)

    /// Tries the readings; those of one client id together, as one attempt.
    nonisolated(nonsending) private static func client(
        of attempt: inout Attempt, worker: Worker
    ) async throws(Failure) -> Tried {
        var readings = attempt.credentials.readings[...]
        var known: RegisteredClient?
        while let id = readings.first?.clientID {
            let secrets = readings.filter { $0.clientID == id }.map(\.secret)
            readings = readings.filter { $0.clientID != id }[...]
            let tried = try await client(id, secrets: secrets, &attempt, worker: worker)
            if tried.client != nil { return tried }
            known = known ?? tried.known
        }
        return (nil, known)
    }

    nonisolated(nonsending) private static func client(
        _ id: ClientID, secrets: [[UInt8]], _ attempt: inout Attempt, worker: Worker
    ) async throws(Failure) -> Tried {
        let (known, first) = try check(id, secrets: secrets, worker: worker)
        switch first {
        case .accepted(let secretID): return (AuthenticatedClient(known, secretID), known)
        case .refused: break
        case .undecided(let check):
            let key = SecretChecks.Key(client: id, secrets: secrets)
            let logged = LoggedClient(known, statedAs: id)
            if try await isAccepted(check, of: key, loggedAs: logged, &attempt, worker: worker) {
                // The registry may have changed meanwhile: the client, or the secret, may have ended.
                let (present, second) = try Self.check(id, secrets: secrets, worker: worker)
                if case .accepted(let secretID) = second {
                    return (AuthenticatedClient(present, secretID), present)
                }
            }
        }
        return refused(known, worker: worker)
    }

    /// What came of a wrong secret; takes the time that it takes where nobody is known.
    private static func refused(_ known: RegisteredClient?, worker: Worker) -> Tried {
        if known != nil { worker.registry.lookUpNobody() } else { worker.registry.lookForNobody() }
        return (nil, known)
    }

    /// The slow part of a check, on the thread for it. An attempt that waits for a check which another has begun
    /// costs nothing, and counts as a failure only if it is one.
    nonisolated(nonsending) private static func isAccepted(
        _ check: SlowSecretCheck, of key: SecretChecks.Key, loggedAs client: LoggedClient,
        _ attempt: inout Attempt, worker: Worker
    ) async throws(Failure) -> Bool {
        if !worker.secretChecks.isRunning(key) { worker.throttle?.hold(&attempt.admitted) }
        let address = AddressGroup(attempt.request.remoteAddress)
        let answer = await worker.secretChecks.run(check, of: key, from: address)
        guard let answer else {
            worker.throttle?.undecided(attempt.admitted)
            throw Failure(
                .temporarilyUnavailable(retryAfter: 1), client: client,
                detail: "too many secrets wait to be checked")
        }
        return answer.isAccepted
    }

    /// The client as it is known now, and the quick part of its check.
    private static func check(
        _ id: ClientID, secrets: [[UInt8]], worker: Worker
    ) throws(Failure) -> (client: RegisteredClient?, answer: SecretCheck.FirstAnswer) {
        let client: RegisteredClient?
        do { client = try worker.registry.client(id) } catch {
            throw Failure(
                .temporarilyUnavailable(retryAfter: 1), client: LoggedClient(stranger: id),
                detail: error.description)
        }
        let answer = SecretCheck.begin(
            secrets, of: client, at: worker.clock(), cache: worker.secretChecks.verified,
            cost: worker.registry.failureCost())
        return (client, answer)
    }
}
