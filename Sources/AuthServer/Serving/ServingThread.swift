import AuthStore
import EventLoop
import HTTP

/// One of the server's threads: a loop, its listener, and what its requests are served with.
///
/// Confined to its event loop.
final class ServingThread {
    /// What all threads are made from.
    struct Plan: Sendable {
        let configuration: ServerConfiguration
        /// The configuration that the server was started with: what needs a restart to change is as it says.
        let started: ServerConfiguration
        let issuer: Issuer
        let masterKey: MasterKey?
        let http: HTTPServerConfiguration
        /// The certificate that TLS is served with; nil for plain HTTP.
        let certificate: ServedCertificate?
        let tokenStores: TokenStores
        let slowChecks: SlowSecretChecks
        /// The counts of failed authentications; nil to count none.
        let failures: FailureCounters?
        let logWriter: LogWriter
        let logFormat: RequestLog.Format
        /// What of the registry's file was said for all threads.
        let registryTrouble: SharedTrouble
        /// What of the token store was said for all threads.
        let tokenStoreTrouble: SharedTrouble
    }

    private let loop: EventLoop
    private var socket: ListeningSocket?
    private let tokens: TokenStores.Opened
    private let log: RequestLog
    private var server: (http: HTTPServer, configuration: HTTPServerConfiguration)?
    /// Answers the requests; replaced when the configuration is read again.
    private var handler: RequestHandler?
    private(set) var worker: Worker?
    private var relay: RevocationRelay?
    /// What lives through a change of configuration: secrets that are known need no scrypt again.
    private let secretChecks: SecretChecks
    private var retiring: [Task<Void, Never>] = []
    private var signals: [SignalWatch] = []
    private let number: Int
    /// Looks for trouble with the registry also where no request does, so that its end is said by all threads.
    private var look: Timer?
    private var certificateLook: CertificateLook?

    /// Prepares a thread; it serves from `serve(_:)` on.
    init(loop: EventLoop, socket: ListeningSocket, number: Int, plan: Plan) {
        self.loop = loop
        self.socket = socket
        self.number = number
        secretChecks = SecretChecks(slow: plan.slowChecks)
        log = RequestLog(
            writer: plan.logWriter, format: plan.logFormat, name: Self.name(number), loop: loop)
        tokens = plan.tokenStores.store(on: loop) { [log, trouble = plan.tokenStoreTrouble] reason in
            if let reason {
                guard trouble.begin(on: number, because: reason) else { return }
                log.note("the token store is lost: \(reason)", milliseconds: WallClock.now())
            } else if trouble.end(on: number) {
                log.note("the token store is back", milliseconds: WallClock.now())
            }
        }
        look = Timer(loop: loop, after: .seconds(1), repeats: true) { [unowned self] in
            try? self.worker?.registry.ping()
        }
    }

    /// Serves by a plan; called again, new requests are served by the new plan, and requests that run finish by
    /// the old one. Connections stay, unless it is their limits that change.
    /// - Parameter relaysRevocations: whether this is the thread that tells the token store of revocations.
    /// - Throws: what is wrong with the plan; the old one stays in force.
    func serve(_ plan: Plan, relaysRevocations: Bool) throws(CommandError) {
        let worker = try makeWorker(plan)
        if server?.configuration != plan.http { try startServer(plan.http) }
        handler = RequestHandler(
            worker: worker, log: log, trustsForwardedFor: plan.configuration.trustsForwardedFor)
        self.worker = worker
        relay = relaysRevocations ? RevocationRelay(worker: worker, loop: loop, note: note) : nil
    }

    /// Starts a server with these limits; the one before it finishes what runs.
    private func startServer(_ configuration: HTTPServerConfiguration) throws(CommandError) {
        guard let socket else { return }
        let me = LoopBound(WeakReference(self), loop: loop)
        let started: HTTPServer
        do {
            started = try HTTPServer(
                loop: loop, socket: socket, configuration: configuration,
                refusal: { [weak self] in self?.handler?.answer(to: $0) ?? $0.plainAnswer },
                turnedAway: { [weak self] in self?.handler?.record($0) }
            ) { request in
                // The thread ends after its server has drained: there is a handler while there are requests.
                await me.value.object?.handler?.respond(to: request) ?? HTTPResponse(status: 503)
            }
        } catch {
            throw CommandError(.failed, error.description)
        }
        let old = server.map { LoopBound($0.http, loop: loop) }
        server = (started, configuration)
        if let old {
            retiring.append(Task(executorPreference: loop) { await old.value.drain(seconds: 10) })
        }
    }

    /// Finishes what runs, for at most `seconds`.
    func drain(seconds: Int) async {
        relay = nil
        look = nil
        certificateLook = nil
        // Closed as soon as what waits in it was taken, so that a successor can bind and nobody waits in vain.
        socket = nil
        await server?.http.drain(seconds: seconds)
        for task in retiring { await task.value }
        server = nil
        tokens.close()
        signals = []
        log.flush()
    }

    /// Calls `body` whenever the process gets a signal; on one thread of the process alone.
    func watch(_ signal: Int32, _ body: @escaping @Sendable () -> Void) {
        signals.append(SignalWatch(loop: loop, signal: signal, body))
    }

    /// Says in the log what an administrator has to see to in the certificate, now and once a day; on one thread of
    /// the process alone.
    func lookAtCertificate(of plan: Plan) {
        certificateLook = plan.certificate.map {
            CertificateLook(at: $0, issuer: plan.issuer, loop: loop) { [unowned self] in note($0) }
        }
    }

    /// Writes a line to the log that belongs to no request.
    func note(_ text: String) {
        log.note(text, milliseconds: WallClock.now())
    }

    private func makeWorker(_ plan: Plan) throws(CommandError) -> Worker {
        let registry: RegistryReader
        do {
            // A command that changed the registry ends later than a millisecond before anybody can act on it.
            registry = try RegistryReader(
                path: plan.started.stores.database, masterKey: plan.masterKey, lookInterval: 1000
            ) { [unowned self, trouble = plan.registryTrouble] in self.say($0, of: trouble) }
        } catch { throw CommandError(error) }
        // All of it could be read just now, whatever an earlier reader said.
        say(.ended, of: plan.registryTrouble)
        let throttle = plan.failures.map {
            ClientThrottle(counters: $0, shared: tokens.failureCounts, loop: loop)
        }
        return Worker(
            issuer: plan.issuer, registry: registry, tokens: tokens.store, secretChecks: secretChecks,
            throttle: throttle, jwksMaxAge: plan.configuration.jwksMaxAge)
    }

    private func say(_ event: RegistryTrouble, of trouble: SharedTrouble) {
        let isNews =
            switch event {
            case .began(let reason), .keysBegan(let reason): trouble.begin(on: number, because: reason)
            case .ended: trouble.end(on: number)
            case .replaced: true
            }
        if isNews { note(event.description) }
    }

    private static func name(_ number: Int) -> String {
        "\(String(UInt32.random(in: .min ... .max), radix: 36))\(number)"
    }
}

/// Refers to an object that owns the one that refers to it.
private final class WeakReference<Object: AnyObject> {
    private(set) weak var object: Object?

    init(_ object: Object) { self.object = object }
}
