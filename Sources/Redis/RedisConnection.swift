public import EventLoop
internal import Glibc

/// A pipelined connection to Redis on one event loop, which reconnects by itself.
///
/// Commands of concurrent tasks are written together, once a turn of the loop, and their replies handed out in
/// order. Each ends within the deadline. While the server is known to be down commands fail at once; the very
/// first ones wait for the first connection attempt.
///
/// Confined to its loop: share it as `LoopBound`.
public final class RedisConnection {
    private enum State {
        /// No connection; the next attempt comes with the timer.
        case waiting
        /// The host's name is being looked up.
        case resolving
        case connecting(RedisSession)
        /// Login and database selection were sent.
        case greeting(RedisSession)
        case ready(RedisSession)
        case closed
    }

    let loop: EventLoop
    private let configuration: RedisConfiguration
    private var state = State.waiting
    private var pending = PendingCommands()
    private var greeting: [RedisGreeting.Step] = []
    private var readWatch: DescriptorWatch?
    private var writeWatch: DescriptorWatch?
    private var sweeper: Timer?
    private var retry: Timer?
    private var hook = 0
    private var mustWrite = false
    private var attemptEnds: Int64 = 0
    private var backoff: Duration
    /// Why there is no connection; nil until the first attempt has ended, while commands wait for it.
    private var problem: RedisError?
    /// Told when a connection is lost and when it stands again; for a log.
    public var onChange: ((RedisError?) -> Void)?

    /// A connection that is made as soon as the loop runs.
    public init(loop: EventLoop, configuration: RedisConfiguration) {
        self.loop = loop
        self.configuration = configuration
        backoff = configuration.firstBackoff
        hook = loop.addTurnHook { [unowned self] in self.flush() }
        sweeper = Timer(loop: loop, after: .milliseconds(50), repeats: true) { [unowned self] in self.sweep()
        }
        scheduleAttempt(after: .zero)
    }

    deinit { close() }

    /// Sends a command and waits for its reply.
    /// - Returns: the reply; an error reply is thrown.
    /// - Throws: `RedisError`
    public func command(_ command: RedisCommand) async throws(RedisError) -> RedisReply {
        loop.assertCurrent()
        if let problem { throw problem }
        if case .closed = state { throw .unavailable("the connection was closed") }
        guard pending.count < configuration.maximumPending else { throw .overloaded }
        let deadline = now() + configuration.deadline.milliseconds
        let outcome = await withUnsafeContinuation {
            (continuation: UnsafeContinuation<Result<RedisReply, RedisError>, Never>) in
            pending.append(command, deadline: deadline, continuation)
            mustWrite = true
        }
        switch try outcome.get() {
        case .error(let text):
            let word = String(text.prefix { $0 != " " }.prefix(32))
            // A server that became a replica, or that wants a login, is not the one that we were told of any more.
            if ["READONLY", "NOAUTH", "MASTERDOWN", "LOADING"].contains(word) { lose(.refused(word)) }
            throw .refused(word)
        case let reply: return reply
        }
    }

    /// Ends the connection for good; what waits fails.
    public func close() {
        if case .closed = state { return }
        state = .closed
        loop.removeTurnHook(hook)
        sweeper = nil
        retry = nil
        readWatch = nil
        writeWatch = nil
        pending.failAll(.unavailable("the connection was closed"))
    }

    // MARK: - Connecting

    private func scheduleAttempt(after delay: Duration) {
        retry = Timer(loop: loop, after: delay) { [unowned self] in self.attempt() }
    }

    private func attempt() {
        retry = nil
        attemptEnds = now() + configuration.deadline.milliseconds
        guard case .tcp(let host, let port) = configuration.endpoint, !HostLookup.isAddress(host) else {
            return connect(to: configuration.endpoint)
        }
        state = .resolving
        let me = LoopBound(WeakConnection(self), loop: loop)
        HostLookup.resolve(host) { [loop] address in
            loop.execute {
                guard let connection = me.value.connection, case .resolving = connection.state else { return }
                guard let address else { return connection.lose(.unavailable("the host's name is unknown")) }
                connection.connect(to: .tcp(host: address, port: port))
            }
        }
    }

    private func connect(to endpoint: RedisConfiguration.Endpoint) {
        do throws(RedisError) {
            let session = try RedisSession(endpoint)
            state = .connecting(session)
            writeWatch = DescriptorWatch(loop: loop, descriptor: session.descriptor, for: .writing) {
                [unowned self] in self.becameWritable()
            }
        } catch { lose(error) }
    }

    private func becameWritable() {
        do throws(RedisError) {
            switch state {
            case .connecting(let session):
                try session.finishConnecting()
                writeWatch = nil
                readWatch = DescriptorWatch(loop: loop, descriptor: session.descriptor) { [unowned self] in
                    self.read()
                }
                try greet(session)
            case .greeting(let session), .ready(let session):
                if try session.write() { writeWatch = nil }
            case .waiting, .resolving, .closed:
                writeWatch = nil
            }
        } catch { lose(error) }
    }

    private func greet(_ session: RedisSession) throws(RedisError) {
        greeting = RedisGreeting.steps(configuration)
        for step in greeting { try session.append(step.command) }
        state = .greeting(session)
        try write(session)
    }

    // MARK: - Writing and reading

    /// Writes what the tasks of this turn have asked for.
    private func flush() -> Bool {
        guard mustWrite, case .ready(let session) = state else { return false }
        mustWrite = false
        do throws(RedisError) {
            while let command = pending.nextToSend() { try session.append(command) }
            try write(session)
        } catch { lose(error) }
        return false
    }

    private func write(_ session: RedisSession) throws(RedisError) {
        guard writeWatch == nil, try !session.write() else { return }
        writeWatch = DescriptorWatch(loop: loop, descriptor: session.descriptor, for: .writing) {
            [unowned self] in self.becameWritable()
        }
    }

    private func read() {
        do throws(RedisError) {
            switch state {
            case .greeting(let session), .ready(let session):
                try session.read()
                while let reply = try session.nextReply() { try take(reply) }
            case .waiting, .resolving, .connecting, .closed:
                readWatch = nil
            }
        } catch { lose(error) }
    }

    private func take(_ reply: RedisReply) throws(RedisError) {
        if case .greeting(let session) = state {
            try greeting.removeFirst().check(reply)
            guard greeting.isEmpty else { return }
            state = .ready(session)
            backoff = configuration.firstBackoff
            mustWrite = true
            if problem != nil { onChange?(nil) }
            problem = nil
        } else if !pending.finishFirst(reply) {
            throw .malformed("a reply to no command")
        }
    }

    // MARK: - Losing

    /// Lets the connection go, fails what waits, and tries again later.
    private func lose(_ error: RedisError) {
        if case .closed = state { return }
        readWatch = nil
        writeWatch = nil
        state = .waiting
        if problem == nil { onChange?(error) }
        problem = error == .timedOut ? .unavailable("it did not answer in time") : error
        pending.failAll(error)
        scheduleAttempt(after: backoff * Double.random(in: 0.5...1))
        backoff = min(backoff * 2, configuration.longestBackoff)
    }

    /// Ends a connection whose oldest command, or whose making, is overdue: replies come in order, so those behind
    /// it would wait in vain.
    private func sweep() {
        let now = now()
        switch state {
        case .resolving, .connecting, .greeting:
            if attemptEnds <= now { lose(.unavailable("it did not answer in time")) }
        case .ready:
            if let deadline = pending.firstDeadline, deadline <= now { lose(.timedOut) }
        case .waiting:
            if let deadline = pending.firstDeadline, deadline <= now { pending.failAll(.timedOut) }
        case .closed: break
        }
    }

    private func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// Lets a look-up outlive the connection that asked for it.
private final class WeakConnection {
    weak var connection: RedisConnection?
    init(_ connection: RedisConnection) { self.connection = connection }
}

extension Duration {
    /// Whole milliseconds.
    var milliseconds: Int64 {
        let parts = components
        return parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000
    }
}
