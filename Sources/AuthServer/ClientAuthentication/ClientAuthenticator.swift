import AuthStore
import HTTP
import OAuth

/// Decides whether presented credentials are those of a registered client.
enum ClientAuthenticator {
    /// Authenticates the client of a request (RFC 6749 §2.3).
    /// - Throws: `invalid_client` with one text for an unknown client, a wrong secret and a disabled one;
    ///   `unauthorized_client` for a method that the client is not registered for; 429 after too many failures.
    nonisolated(nonsending) static func authenticate(
        _ request: HTTPRequest, _ parameters: FormParameters, worker: Worker
    ) async throws(Failure) -> RegisteredClient {
        let credentials: PresentedCredentials
        do { credentials = try PresentedCredentials.read(from: request, parameters) } catch {
            throw Failure(error)
        }
        var admitted = try worker.throttle?.admit(credentials, from: request.remoteAddress)
        let tried = try await client(of: credentials, from: request.remoteAddress, &admitted, worker: worker)
        guard let client = tried.client else {
            worker.throttle?.failed(admitted)
            let stated = credentials.readings.first?.clientID
            throw Failure(
                .invalidClient(usedBasic: credentials.method == .basic),
                clientID: tried.isKnown ? stated : stated?.ofStranger,
                detail: detail(request, credentials))
        }
        worker.throttle?.succeeded(client.id, admitted)
        if let method = client.authenticationMethod, method.rawValue != credentials.method.rawValue {
            throw Failure(
                .unauthorizedClient("this client is registered for \(method.rawValue): authenticate by that"),
                clientID: client.id)
        }
        return client
    }

    /// What the log is told and the client is not: it gets one text for all.
    private static func detail(_ request: HTTPRequest, _ credentials: PresentedCredentials) -> String {
        guard credentials.readings.isEmpty else {
            return "client unknown or disabled, or its secret is wrong"
        }
        return request.value("authorization").map(ClientSecretBasic.isBearer) == true
            ? "the scheme is Bearer: authenticate as a client with HTTP Basic"
            : "the credentials are malformed"
    }

    /// What came of trying: the client, if its secret was right, and whether there is one of that id at all.
    private typealias Tried = (client: RegisteredClient?, isKnown: Bool)

    /// Tries the readings; those of one client id together, as one attempt.
    nonisolated(nonsending) private static func client(
        of credentials: PresentedCredentials, from address: String,
        _ admitted: inout ClientThrottle.Admitted?,
        worker: Worker
    ) async throws(Failure) -> Tried {
        if credentials.readings.count == 1 {
            return try await client(
                credentials.readings[0].clientID, secrets: [credentials.readings[0].secret], from: address,
                &admitted,
                worker: worker)
        }
        var readings = credentials.readings[...]
        var isKnown = false
        while let id = readings.first?.clientID {
            let secrets = readings.filter { $0.clientID == id }.map(\.secret)
            readings = readings.filter { $0.clientID != id }[...]
            let tried = try await client(id, secrets: secrets, from: address, &admitted, worker: worker)
            if tried.client != nil { return tried }
            isKnown = isKnown || tried.isKnown
        }
        return (nil, isKnown)
    }

    nonisolated(nonsending) private static func client(
        _ id: ClientID, secrets: [[UInt8]], from address: String, _ admitted: inout ClientThrottle.Admitted?,
        worker: Worker
    ) async throws(Failure) -> Tried {
        let (known, first) = try begin(id, secrets: secrets, worker: worker)
        switch first {
        case .accepted: return (known, true)
        case .refused: break
        case .undecided(let check):
            let key = SecretChecks.Key(client: id, secrets: secrets)
            if try await isAccepted(check, of: key, from: address, &admitted, worker: worker) {
                // The registry may have changed meanwhile: the client, or the secret, may have ended.
                let (present, second) = try begin(id, secrets: secrets, worker: worker)
                if case .accepted = second { return (present, true) }
            }
        }
        if known != nil { worker.registry.lookUpNobody() }
        return (nil, known != nil)
    }

    /// The second step of a check, on the thread for it. An attempt that waits for a check which another has begun
    /// costs nothing, and counts as a failure only if it is one.
    nonisolated(nonsending) private static func isAccepted(
        _ check: SlowSecretCheck, of key: SecretChecks.Key, from address: String,
        _ admitted: inout ClientThrottle.Admitted?, worker: Worker
    ) async throws(Failure) -> Bool {
        if !worker.secretChecks.isRunning(key) { worker.throttle?.hold(&admitted) }
        let answer = await worker.secretChecks.run(check, of: key, from: AddressGroup(address))
        guard let answer else {
            worker.throttle?.undecided(admitted)
            throw Failure(
                .temporarilyUnavailable(retryAfter: 1), clientID: key.client,
                detail: "too many secrets wait to be checked")
        }
        return answer.isAccepted
    }

    /// The client as it is known now, and the first step of its check.
    private static func begin(
        _ id: ClientID, secrets: [[UInt8]], worker: Worker
    ) throws(Failure) -> (client: RegisteredClient?, answer: SecretCheck.FirstAnswer) {
        let client: RegisteredClient?
        do { client = try worker.registry.client(id) } catch {
            throw Failure(.temporarilyUnavailable(retryAfter: 1), clientID: id, detail: error.description)
        }
        let answer = SecretCheck.begin(
            secrets, of: client, at: worker.clock(), cache: worker.secretChecks.verified,
            cost: worker.registry.failureCost())
        return (client, answer)
    }
}

extension ClientID {
    /// How the log names a client that is not known: who swaps id and secret, or loses the colon between them, sends
    /// a secret here. Secrets have 16 characters or more.
    var ofStranger: ClientID {
        guard value.utf8.count >= 16 else { return self }
        return (try? ClientID("\(value.prefix(4))…")) ?? self
    }
}
