internal import CMicroHTTPD
public import EventLoop
internal import Glibc

/// An HTTP/1.1 server on one event loop: libmicrohttpd in external epoll mode.
///
/// Confined to its loop: make it, and call it, on the loop's thread or before the loop runs.
public final class HTTPServer {
    /// Answers a request; runs as a task on the server's loop.
    public typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse
    /// Makes the answer to a request that no handler answers, and may log it; called on the server's loop.
    public typealias RefusalAnswer = (HTTPRefusal) -> HTTPResponse
    /// Told of connections that were turned away, once a second at most; called on the server's loop.
    public typealias TurnedAwayReport = (HTTPTurnedAway) -> Void

    let loop: EventLoop
    let configuration: HTTPServerConfiguration
    private let handler: Handler
    private let answerTo: RefusalAnswer
    private let reportTurnedAway: TurnedAwayReport
    private var turnedAway = TurnedAwayCount()
    private var daemon: OpaquePointer?
    private var watch: DescriptorWatch?
    private var acceptor: Acceptor?
    private var sweeper: Timer?
    private var hook = 0
    private var mustRun = false
    private var isAwaitingAnswers = false
    private var look: Timer?
    private var connections = ConnectionTable()
    private var isStopping = false
    /// When connections are ended that have had an answer, and those that have had none, once it drains.
    private var idleEnd: Int64 = 0
    private var newEnd: Int64 = 0
    /// The connection that is being given to the engine, for the callback that the engine makes meanwhile.
    private var arriving: Connection?

    /// Makes a server, which `serve(_:)` gives connections to.
    /// - Parameters:
    ///   - loop: the loop that it is confined to.
    ///   - configuration: its limits.
    ///   - refusal: answers what no handler answers.
    ///   - turnedAway: told how many connections there was no place for.
    ///   - handler: answers the requests.
    /// - Throws: `HTTPError` when the engine cannot start: a certificate that cannot be read, no descriptors.
    public init(
        loop: EventLoop, configuration: HTTPServerConfiguration = .init(),
        refusal: @escaping RefusalAnswer = { $0.plainAnswer },
        turnedAway: @escaping TurnedAwayReport = { _ in }, handler: @escaping Handler
    ) throws(HTTPError) {
        self.loop = loop
        self.configuration = configuration
        self.handler = handler
        answerTo = refusal
        reportTurnedAway = turnedAway
        let started = startEngine(configuration, context: Unmanaged.passUnretained(self).toOpaque())
        guard let started else { throw .engineDoesNotStart(configuration) }
        daemon = started
        watch = DescriptorWatch(loop: loop, descriptor: auth_mhd_epoll_descriptor(started)) {
            [unowned self] in
            self.mustRun = true
        }
        hook = loop.addHook { [unowned self] in self.runIfNeeded() }
        sweeper = Timer(loop: loop, after: .milliseconds(250), repeats: true) { [unowned self] in self.sweep()
        }
    }

    /// Serves the connections of a socket, once the loop runs.
    public func serve(_ socket: ListeningSocket) {
        acceptor = Acceptor(loop: loop, socket: socket) { [unowned self] in
            self.accept($0, address: $1, length: $2)
        }
    }

    deinit {
        precondition(daemon == nil, "an HTTP server is drained before it is released")
    }

    /// How many connections are open.
    public var connectionCount: Int { connections.count }

    /// Stops accepting, lets what runs finish for at most `seconds`, then ends every connection.
    /// - Parameter idleSeconds: for how long a connection that has had its answer may send another request, of which
    ///   the engine may have the first bytes already; one that has sent none yet has till the end. nil where there is no
    ///   time for that, as after `hurry()`.
    public func drain(seconds: Int, idleSeconds: Int? = nil) async {
        loop.assertCurrent()
        acceptor?.acceptSome()
        acceptor = nil
        isStopping = true
        let end = now() + Int64(seconds) * 1000
        if let idleSeconds {
            (idleEnd, newEnd) = (now() + Int64(idleSeconds) * 1000, end)
        } else {
            hurry()
        }
        mustRun = true
        while true {
            if now() >= idleEnd { connections.endIdle(alsoNew: now() >= newEnd) }
            guard !connections.isEmpty && now() < end else { break }
            await loop.sleep(for: .milliseconds(10))
        }
        stopEngine()
    }

    /// Ends connections on which nothing has begun: at once those that have had an answer, and in a quarter of a second
    /// the others, whose first request may be on its way. For a server that drains.
    public func hurry() { (idleEnd, newEnd) = (now(), now() + 250) }

    private func stopEngine() {
        connections.answerForAll(answerTo)
        if let last = turnedAway.take(at: .max) { reportTurnedAway(last) }
        sweeper = nil
        look = nil
        watch = nil
        loop.removeHook(hook)
        if let daemon {
            MHD_run(daemon)
            MHD_stop_daemon(daemon)
        }
        daemon = nil
    }

    // MARK: - The engine's turn

    private func runIfNeeded() -> Bool {
        guard mustRun, let daemon else { return false }
        mustRun = false
        isAwaitingAnswers = false
        MHD_run(daemon)
        var milliseconds: UInt64 = 0
        if MHD_get_timeout(daemon, &milliseconds) == .YES && milliseconds == 0 {
            // Where answers are awaited the engine always has something to look at: the next answer, event or
            // millisecond makes it look.
            if isAwaitingAnswers { lookSoon() } else { mustRun = true }
        }
        return true
    }

    /// Runs the engine within a millisecond or two, for what it may have put off besides what awaits its answer.
    private func lookSoon() {
        guard look == nil else { return }
        look = Timer(loop: loop, after: .milliseconds(1)) { [unowned self] in
            self.look = nil
            self.mustRun = true
        }
    }

    private func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private func deadline(seconds: Int) -> Int64 { now() + Int64(seconds) * 1000 }

    // MARK: - Connections

    private func accept(_ descriptor: Int32, address: sockaddr_storage, length: socklen_t) {
        let peer = SocketAddress(address, length: length)
        let host = peer.host
        guard let daemon, connections.hasRoom(for: host, configuration) else {
            Answers.turnAway(descriptor, isPlain: configuration.tls == nil)
            turnedAway.add(host)
            return
        }
        arriving = Connection(
            descriptor: descriptor, address: host,
            deadline: deadline(seconds: configuration.requestDeadlineSeconds))
        // The engine closes the descriptor itself when it cannot take it.
        _ = peer.withPointer { MHD_add_connection(daemon, descriptor, $0, $1) }
        arriving = nil
        mustRun = true
    }

    /// The engine has taken a connection: the reference that it keeps for it.
    func connectionStarted() -> UnsafeMutableRawPointer? {
        guard let connection = arriving else { return nil }
        connections.insert(connection)
        return Unmanaged.passRetained(connection).toOpaque()
    }

    /// The engine has closed a connection.
    func connectionClosed(_ connection: Connection) {
        connections.remove(connection)
    }

    private func sweep() {
        mustRun = true
        connections.sweep(at: now(), isPlain: configuration.tls == nil, answer: answerTo)
        if let some = turnedAway.take(at: now()) { reportTurnedAway(some) }
    }

    // MARK: - Requests

    func requestLine(_ target: String, engine: OpaquePointer) -> UnsafeMutableRawPointer? {
        guard let context = auth_mhd_socket_context(engine) else { return nil }
        let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
        connection.enter(.receiving, until: deadline(seconds: configuration.requestDeadlineSeconds))
        let exchange = Exchange(target: target, connection: connection, engine: engine)
        return Unmanaged.passRetained(exchange).toOpaque()
    }

    /// Called by the engine when the header block is in.
    func begin(_ exchange: Exchange, _ header: EngineRequest) -> MHD_Result {
        acceptHeader(exchange, header)
        return exchange.hasAnswer ? send(exchange) : .YES
    }

    /// Called by the engine for each piece of the body, at the body's end, and again for as long as the answer is
    /// awaited.
    func handle(_ exchange: Exchange, body: UnsafeRawBufferPointer) -> MHD_Result {
        if !body.isEmpty {
            exchange.append(body)
            return .YES
        }
        if exchange.hasAnswer { return send(exchange) }
        start(exchange)
        if exchange.hasAnswer { return send(exchange) }
        if exchange.awaitAnswer() { isAwaitingAnswers = true }
        return .YES
    }

    private func send(_ exchange: Exchange) -> MHD_Result {
        exchange.connection.enter(.sending, until: deadline(seconds: configuration.requestDeadlineSeconds))
        return exchange.queueAnswer(closing: isStopping)
    }

    private func acceptHeader(_ exchange: Exchange, _ header: EngineRequest) {
        do throws(Strictness.Refusal) {
            let length = try Strictness.contentLength(
                method: header.method, target: exchange.target, version: header.version,
                fields: header.fields, headerBytes: header.size, isWhole: header.isWhole,
                limits: configuration)
            let (path, query) = RequestTarget.split(exchange.target)
            exchange.accept(
                Exchange.Head(
                    method: header.method, path: path, query: query, fields: header.fields,
                    contentLength: length))
        } catch {
            exchange.refuse(
                answerTo(
                    HTTPRefusal(
                        cause: .refused, status: error.status, reason: error.reason,
                        remoteAddress: exchange.connection.address)))
        }
    }

    /// Runs the handler as a task on this loop.
    private func start(_ exchange: Exchange) {
        guard let request = exchange.takeRequest() else { return }
        exchange.connection.exchange = exchange
        exchange.connection.enter(.handling, until: deadline(seconds: configuration.requestDeadlineSeconds))
        let reply = LoopBound((server: self, exchange: exchange), loop: loop)
        Task.immediate(executorPreference: loop) { [handler] in
            let response = await handler(request)
            let (server, exchange) = reply.value
            if exchange.finish(response) { server.mustRun = true }
        }
    }

    func completed(_ exchange: Exchange) {
        exchange.connection.exchange = nil
        exchange.connection.enter(.idle, until: deadline(seconds: configuration.idleSeconds + 1))
    }
}
