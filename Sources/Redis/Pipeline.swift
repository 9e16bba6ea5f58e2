internal import EventLoop
internal import Glibc

/// What a `RedisConnection` is on its loop: the attempts to connect, the commands that wait, the deadlines.
///
/// Every waiter is in `pending` from `send` until it is resumed, and is taken out before it is resumed: by its
/// reply in `take`, or with all others in `drop` and `close`. So each is resumed exactly once.
final class Pipeline {
    static let closed = RedisError.unavailable("the connection to Redis was closed")

    private enum Phase {
        /// Between two attempts, or before the first.
        case pausing
        /// The host is looked up.
        case resolving
        case connecting
        case greeting
        case ready
        case closed
    }

    /// Told of each change: why the connection was lost, or nil when it stands again.
    var onChange: ((RedisError?) -> Void)?

    private let loop: EventLoop
    private let configuration: RedisConfiguration
    private let deadline: Int64
    private var phase = Phase.pausing
    /// Why commands fail at once; nil before the first attempt has ended and while the connection stands.
    private var failure: RedisError?
    private var context: HiredisContext?
    private var addresses: [String] = []
    private var attempts = 0
    private var isLookingUp = false
    private var greeting: Greeting
    private var backoff = Backoff()
    private var pending = PendingCommands()
    /// The commands of this turn, or all of them until the connection stands.
    private var output: [UInt8] = []

    private var reading: DescriptorWatch?
    private var writing: DescriptorWatch?
    /// Ends an attempt that takes too long, or the pause before the next.
    private var attemptTimer: Timer?
    private var sweeper: Timer?
    private var isSweeping = false
    private var hooks: (turn: Int, stop: Int)?

    init(loop: EventLoop, configuration: RedisConfiguration) {
        self.loop = loop
        self.configuration = configuration
        deadline = max(1, configuration.commandDeadline.inMilliseconds)
        greeting = Greeting(configuration)
    }

    /// Attaches to the loop and makes the first attempt.
    func start() {
        guard hooks == nil, phase != .closed else { return }
        hooks = (
            loop.addTurnHook { [weak self] in self?.flush() ?? false },
            loop.addStopHook { [weak self] in self?.close() }
        )
        attempt()
    }

    /// Fails what waits and lets go of everything, for good.
    func close() {
        guard phase != .closed else { return }
        phase = .closed
        failure = Self.closed
        onChange = nil
        disconnect()
        attemptTimer = nil
        sweeper = nil
        if let hooks {
            loop.removeTurnHook(hooks.turn)
            loop.removeStopHook(hooks.stop)
        }
        failAll(Self.closed)
    }

    // MARK: - Commands

    /// Queues a command; `waiter` is resumed once, at the latest when the deadline has passed.
    func send(_ command: RedisCommand, _ waiter: UnsafeContinuation<Result<RedisReply, RedisError>, Never>) {
        if let failure {
            waiter.resume(returning: .failure(failure))
            return
        }
        guard pending.count < configuration.maximumPending else {
            waiter.resume(returning: .failure(.overloaded))
            return
        }
        pending.append(.init(waiter: waiter, since: now()))
        output.append(contentsOf: command.bytes)
        if !isSweeping { sweep(after: deadline) }
    }

    /// The turn hook: writes the commands of the turn in one go.
    private func flush() -> Bool {
        guard phase == .ready, !output.isEmpty, let context else { return false }
        do throws(RedisError) {
            try context.append(output)
            output.removeAll(keepingCapacity: output.capacity <= 1 << 20)
            try write()
        } catch {
            drop(error)
            return true
        }
        return false
    }

    /// Writes what the socket takes; the rest when it takes more.
    private func write() throws(RedisError) {
        guard writing == nil, let context, try !context.write() else { return }
        writing = DescriptorWatch(loop: loop, descriptor: context.descriptor, for: .writing) {
            [unowned self] in self.writeMore()
        }
    }

    private func writeMore() {
        do throws(RedisError) {
            if try context?.write() ?? true { writing = nil }
        } catch {
            drop(error)
        }
    }

    // MARK: - Replies

    private func receive() {
        guard let context else { return }
        do throws(RedisError) {
            try context.read()
            while self.context === context, let reply = try context.nextReply() { try take(reply) }
        } catch {
            drop(error)
        }
    }

    private func take(_ reply: RedisReply) throws(RedisError) {
        if phase == .greeting {
            switch greeting.take(reply) {
            case .more: return
            case .done: becomeReady()
            case .failed(let error): throw error
            }
            return
        }
        guard let entry = pending.popFirst() else { throw unasked(reply) }
        guard case .error(let message) = reply else {
            entry.waiter.resume(returning: .success(reply))
            return
        }
        let error = RedisError.refusal(message)
        entry.waiter.resume(returning: .failure(error))
        // After a failover the address may lead to another server, which can be written.
        if error.refusalCode == "READONLY" { throw error }
    }

    /// What a server says before it hangs up, or what no Redis says.
    private func unasked(_ reply: RedisReply) -> RedisError {
        guard case .error(let message) = reply else { return .malformed("a reply to no command") }
        return .refusal(message)
    }

    // MARK: - Connecting

    private func attempt() {
        greeting = Greeting(configuration)
        attemptTimer = Timer(loop: loop, after: configuration.commandDeadline) { [unowned self] in
            self.drop(
                .unavailable(
                    self.phase == .resolving ? "its host name is not found in time" : "no connection in time")
            )
        }
        switch configuration.endpoint {
        case .unix(let path):
            addresses = [path]
            connect()
        case .tcp(let host, _) where AddressResolver.isNumeric(host):
            addresses = [host]
            connect()
        case .tcp(let host, _):
            phase = .resolving
            lookUp(host)
        }
    }

    /// At most one look-up at a time: one that outlives its attempt serves a later one.
    private func lookUp(_ host: String) {
        guard !isLookingUp else { return }
        isLookingUp = true
        let (loop, bound) = (loop, LoopBound(self, loop: loop))
        AddressResolver.resolve(host) { result in
            loop.execute { bound.value.lookedUp(result) }
        }
    }

    private func lookedUp(_ result: Result<[String], RedisError>) {
        isLookingUp = false
        guard phase == .resolving else { return }
        switch result {
        case .success(let found):
            // Another one first at each attempt: one that swallows packets must not hide the others.
            let shift = found.isEmpty ? 0 : attempts % found.count
            addresses = Array(found[shift...] + found[..<shift])
            attempts += 1
            connect()
        case .failure(let error):
            drop(error)
        }
    }

    /// Tries the addresses one after another.
    private func connect() {
        phase = .connecting
        var lastError = RedisError.unavailable("its host has no address")
        while !addresses.isEmpty {
            do throws(RedisError) {
                let context = try HiredisContext(configuration.endpoint, address: addresses.removeFirst())
                self.context = context
                writing = DescriptorWatch(loop: loop, descriptor: context.descriptor, for: .writing) {
                    [unowned self] in self.connected()
                }
                return
            } catch {
                lastError = error
            }
        }
        drop(lastError)
    }

    private func connected() {
        guard let context else { return }
        writing = nil
        do throws(RedisError) {
            try context.finishConnecting()
        } catch {
            self.context = nil
            if addresses.isEmpty { drop(error) } else { connect() }
            return
        }
        phase = .greeting
        reading = DescriptorWatch(loop: loop, descriptor: context.descriptor) { [unowned self] in
            self.receive()
        }
        do throws(RedisError) {
            try context.append(greeting.bytes)
            try write()
        } catch {
            drop(error)
        }
    }

    private func becomeReady() {
        phase = .ready
        if failure != nil { onChange?(nil) }
        failure = nil
        attemptTimer = nil
        backoff.reset()
    }

    // MARK: - Failing

    /// Ends the connection or the attempt, fails all commands that wait, and tries again after a pause.
    private func drop(_ error: RedisError, overdueBefore limit: Int64 = .min) {
        let error = error.at(configuration)
        // Once for each reason, not for each attempt.
        if failure != error { onChange?(error) }
        failure = error
        phase = .pausing
        disconnect()
        failAll(error, overdueBefore: limit)
        let pause = backoff.next(jitter: .random(in: 0...1))
        attemptTimer = Timer(loop: loop, after: pause) { [unowned self] in self.attempt() }
    }

    private func disconnect() {
        // The watches end before the descriptor is closed.
        reading = nil
        writing = nil
        context = nil
        output = []
    }

    /// Fails all that waits; what was sent before `limit` as overdue.
    private func failAll(_ error: RedisError, overdueBefore limit: Int64 = .min) {
        var failed = PendingCommands()
        swap(&failed, &pending)
        while let entry = failed.popFirst() {
            entry.waiter.resume(returning: .failure(entry.since <= limit ? .timedOut : error))
        }
    }

    // MARK: - Deadlines

    /// Replies come in order, so the first command that waits is the first to be overdue: one timer will do.
    private func sweep(after milliseconds: Int64) {
        isSweeping = true
        let delay = Duration.milliseconds(milliseconds)
        if let sweeper {
            sweeper.restart(after: delay)
        } else {
            sweeper = Timer(loop: loop, after: delay) { [unowned self] in self.sweep() }
        }
    }

    private func sweep() {
        isSweeping = false
        // A reply that arrived while the loop was busy is in time.
        if let first = pending.first, now() - first.since >= deadline, reading != nil { receive() }
        guard let first = pending.first else { return }
        let left = deadline - (now() - first.since)
        if left > 0 {
            sweep(after: left)
        } else {
            drop(.unavailable("it does not answer"), overdueBefore: now() - deadline)
        }
    }

    private func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

extension RedisError {
    /// The same error, which says which Redis.
    fileprivate func at(_ configuration: RedisConfiguration) -> RedisError {
        switch self {
        case .unavailable(let text): .unavailable("Redis at \(configuration) is unavailable: \(text)")
        default: self
        }
    }
}

extension Duration {
    fileprivate var inMilliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
