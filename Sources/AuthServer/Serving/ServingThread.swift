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
        let meters: ServerMeters
        let logFormat: RequestLog.Format
        /// What of the registry's file was said for all threads.
        let registryTrouble: SharedTrouble
        /// What of the token store was said for all threads.
        let tokenStoreTrouble: SharedTrouble
    }

    private typealias Server = (http: HTTPServer, configuration: HTTPServerConfiguration)

    /// What serves by a plan.
    private struct Prepared {
        let worker: Worker
        let trouble: SharedTrouble
        let handler: RequestHandler
        /// nil where the one that serves has the plan's limits already.
        let server: Server?
    }

    private let loop: EventLoop
    private var socket: ListeningSocket?
    private let tokens: TokenStores.Opened
    private let log: RequestLog
    private let counters: ThreadCounters
    /// Whether the token store is asked once a second if it takes tokens: where somebody wants to know.
    private let asksTokenStore: Bool
    private var question: Task<Void, Never>?
    private var server: Server?
    /// Answers the requests; replaced when the configuration is read again.
    private var handler: RequestHandler?
    private(set) var worker: Worker?
    private var prepared: Prepared?
    private var relay: RevocationRelay?
    /// What lives through a change of configuration: secrets that are known need no scrypt again.
    private let secretChecks: SecretChecks
    /// The servers that finish what they began before a change of limits.
    private var retiring: [Int: (server: LoopBound<HTTPServer>, end: Task<Void, Never>)] = [:]
    private var retired = 0
    private var signals: [SignalWatch] = []
    private let number: Int
    /// Looks for trouble with the registry also where no request does, so that its end is said by all threads.
    private var look: Timer?
    private var certificateLook: CertificateLook?
    /// Whether it ends: a configuration that is read meanwhile comes to nothing.
    private var isDraining = false

    /// Makes a thread, which serves from the first `take` on.
    init(loop: EventLoop, socket: ListeningSocket, number: Int, plan: Plan) {
        self.loop = loop
        self.socket = socket
        self.number = number
        secretChecks = SecretChecks(slow: plan.slowChecks)
        counters = plan.meters.threads[number]
        log = RequestLog(
            writer: plan.logWriter, format: plan.logFormat, name: Self.name(number), loop: loop)
        asksTokenStore = plan.configuration.metricsListen != nil
        tokens = plan.tokenStores.store(on: loop) { [log, trouble = plan.tokenStoreTrouble] reason in
            if let reason {
                guard trouble.begin(on: number, because: reason) else { return }
                log.note("the token store is lost: \(reason)", milliseconds: WallClock.now())
            } else if trouble.end(on: number) {
                log.note("the token store is back", milliseconds: WallClock.now())
            }
        }
        look = Timer(loop: loop, after: .seconds(1), repeats: true) { [unowned self] in
            self.lookAtState()
        }
    }

    private func lookAtState() {
        tokens.look()
        guard let worker else { return }
        let registryIsUp = (try? worker.registry.ping()) != nil
        let earlier = retiring.values.reduce(0) { $0 + $1.server.value.connectionCount }
        counters.note(
            connections: earlier + (server?.http.connectionCount ?? 0), registryIsLost: !registryIsUp,
            signingSince: worker.keys.signingSince(worker.clock()))
        if asksTokenStore && question == nil && !isDraining { ask(worker.tokens) }
    }

    /// Asks the token store as a readiness check does; it answers or fails within its deadline.
    private func ask(_ store: any TokenStore) {
        let bound = LoopBound((store: store, me: WeakReference(self)), loop: loop)
        question = Task(executorPreference: loop) { [counters] in
            let isUp = (try? await bound.value.store.ping()) != nil
            counters.note(tokenStoreIsLost: !isUp)
            bound.value.me.object?.question = nil
        }
    }

    /// Makes what this thread needs to serve by a plan, beside what it serves with now.
    ///
    /// `take` or `discard` has to follow.
    /// - Throws: what is wrong with the plan.
    func prepare(_ plan: Plan) throws(CommandError) {
        guard !isDraining else { throw CommandError(.failed, "the server is stopping") }
        let worker = try makeWorker(plan)
        prepared = Prepared(
            worker: worker, trouble: plan.registryTrouble,
            handler: RequestHandler(
                worker: worker, log: log, counters: counters,
                trustsForwardedFor: plan.configuration.trustsForwardedFor),
            server: server?.configuration == plan.http ? nil : (try makeServer(plan.http), plan.http))
    }

    /// Serves with what was prepared from now on, and requests that run finish with what was before. Connections stay,
    /// unless it is their limits that change.
    /// - Parameter relaysRevocations: whether this is the thread that tells the token store of revocations.
    func take(relaysRevocations: Bool) {
        guard let next = prepared, let socket else { return }
        prepared = nil
        if worker.map({ next.worker.registry.follow($0.registry) }) ?? true { say(.ended, of: next.trouble) }
        handler = next.handler
        worker = next.worker
        if let relay {
            relay.follow(next.worker)
        } else if relaysRevocations {
            relay = RevocationRelay(worker: next.worker, loop: loop, note: note)
        }
        guard let new = next.server else { return }
        if let server { retire(LoopBound(server.http, loop: loop)) }
        server = new
        new.http.serve(socket)
    }

    /// Finishes what an earlier server has begun. Nobody waits for its end, so that clients have time.
    private func retire(_ old: LoopBound<HTTPServer>) {
        retired += 1
        let (number, me) = (retired, LoopBound(WeakReference(self), loop: loop))
        let end = Task(executorPreference: loop) {
            await old.value.drain(seconds: 10, idleSeconds: 1)
            me.value.object?.retiring[number] = nil
        }
        retiring[number] = (old, end)
    }

    /// Forgets what was prepared, where another thread or the registry refuses the plan.
    func discard() async {
        let server = prepared?.server?.http
        prepared = nil
        await server?.drain(seconds: 0)
    }

    private func makeServer(_ configuration: HTTPServerConfiguration) throws(CommandError) -> HTTPServer {
        let me = LoopBound(WeakReference(self), loop: loop)
        do {
            return try HTTPServer(
                loop: loop, configuration: configuration,
                refusal: { [weak self] in self?.handler?.answer(to: $0) ?? $0.plainAnswer },
                turnedAway: { [weak self] in self?.handler?.record($0) }
            ) { request in
                // The thread ends after its server has drained: there is a handler while there are requests.
                await me.value.object?.handler?.respond(to: request) ?? HTTPResponse(status: 503)
            }
        } catch {
            throw CommandError(.failed, error.description)
        }
    }

    /// Finishes what runs, for at most `seconds`.
    func drain(seconds: Int) async {
        isDraining = true
        await discard()
        relay = nil
        look = nil
        certificateLook = nil
        // Closed as soon as what waits in it was taken, so that a successor can bind and nobody waits in vain.
        socket = nil
        for earlier in retiring.values { earlier.server.value.hurry() }
        await server?.http.drain(seconds: seconds)
        for task in retiring.values.map(\.end) { await task.value }
        server = nil
        tokens.close()
        await question?.value
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
        guard !isDraining else { return }
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
                path: plan.configuration.stores.database, masterKey: plan.masterKey,
                capacity: plan.configuration.clientsOfThread, lookInterval: 1000
            ) { [unowned self, trouble = plan.registryTrouble] in self.say($0, of: trouble) }
        } catch { throw CommandError(error) }
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
