internal import EventLoop
internal import Glibc

/// What a `RedisConnection` is on its loop: the connection or the attempts to have one, the commands that wait,
/// their deadlines.
///
/// Every waiter is in `pending` from `send` until it is resumed, and is taken out before it is resumed: by its
/// reply in `take`, or with all others in `failAll`. So each is resumed exactly once.
final class Pipeline {
    static let closed = RedisError.unavailable("the connection to Redis was closed")

    /// Told of each change: why the connection was lost, or nil when one has stood for a while again.
    var onChange: ((RedisError?) -> Void)?
    /// How long a connection stands before it counts as good: a server that greets well may still answer nonsense, or
    /// hang up, again and again.
    private static let steadyMilliseconds: Int64 = 5000

    private let loop: EventLoop
    private let configuration: RedisConfiguration
    private let deadline: Int64
    private let connector: Connector
    private var backoff = Backoff()
    /// Why commands fail at once; nil before the first attempt has ended and while the connection stands.
    private var failure: RedisError?
    /// What `onChange` was told last.
    private var toldFailure: RedisError?
    private var isClosed = false
    /// The connection, once it is ready.
    private var context: HiredisContext?
    /// Since when it is ready.
    private var readySince: Int64 = 0
    /// Tells that the connection is back, once it is good.
    private var recovery: Timer?
    private var pending = PendingCommands()
    /// The commands of this turn, or all of them until the first connection stands.
    private var output: [UInt8] = []

    private var reading: DescriptorWatch?
    private var writing: DescriptorWatch?
    /// Ends the pause before the next attempt.
    private var pause: Timer?
    private var sweeper: Timer?
    private var isSweeping = false
    private var hook: Int?

    init(loop: EventLoop, configuration: RedisConfiguration) {
        self.loop = loop
        self.configuration = configuration
        deadline = max(1, configuration.commandDeadline.inMilliseconds)
        connector = Connector(loop: loop, configuration: configuration)
    }

    /// Attaches to the loop and makes the first attempt.
    func start() {
        guard hook == nil, !isClosed else { return }
        hook = loop.addHook(
            turn: { [weak self] in self?.flush() ?? false }, stop: { [weak self] in self?.close() })
        connect()
    }

    /// Fails what waits and lets go of everything, for good.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        failure = Self.closed
        onChange = nil
        connector.cancel()
        disconnect()
        pause = nil
        sweeper = nil
        if let hook { loop.removeHook(hook) }
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
        guard let context, !output.isEmpty else { return false }
        do throws(RedisError) {
            try context.append(output)
            output.removeAll(keepingCapacity: output.capacity <= 1 << 20)
            if writing == nil { try write(context) }
        } catch {
            drop(error)
            return true
        }
        return false
    }

    /// Writes what the socket takes; the rest when it takes more.
    private func write(_ context: HiredisContext) throws(RedisError) {
        if try context.write() {
            writing = nil
        } else if writing == nil {
            writing = DescriptorWatch(loop: loop, descriptor: context.descriptor, for: .writing) {
                [unowned self] in
                do throws(RedisError) { try write(context) } catch { drop(error) }
            }
        }
    }

    // MARK: - Replies

    private func receive(_ context: HiredisContext) {
        do throws(RedisError) {
            try context.read()
            try takeReplies(context)
        } catch {
            drop(error)
        }
    }

    private func takeReplies(_ context: HiredisContext) throws(RedisError) {
        while let reply = try context.nextReply() { try take(reply) }
    }

    private func take(_ reply: RedisReply) throws(RedisError) {
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

    // MARK: - Connecting and failing

    private func connect() {
        connector.attempt { [unowned self] result in
            switch result {
            case .success(let context): become(ready: context)
            case .failure(let error): drop(error)
            }
        }
    }

    private func become(ready context: HiredisContext) {
        self.context = context
        readySince = now()
        failure = nil
        if toldFailure != nil {
            recovery = Timer(loop: loop, after: .milliseconds(Self.steadyMilliseconds)) { [unowned self] in
                toldFailure = nil
                onChange?(nil)
            }
        }
        reading = DescriptorWatch(loop: loop, descriptor: context.descriptor) { [unowned self] in
            receive(context)
        }
        // Replies beyond the greeting's, if there are any, are in already.
        do throws(RedisError) { try takeReplies(context) } catch { drop(error) }
    }

    /// Ends the connection, fails all commands that wait, and tries again after a pause.
    private func drop(_ error: RedisError, overdueBefore limit: Int64 = .min) {
        let error = error.at(configuration)
        // Told once for each reason, not for each attempt; last, since it may close this.
        let isNews = toldFailure != error
        defer { if isNews { onChange?(error) } }
        toldFailure = error
        failure = error
        if context != nil, now() - readySince >= Self.steadyMilliseconds { backoff.reset() }
        connector.cancel()
        disconnect()
        failAll(error, overdueBefore: limit)
        pause = Timer(loop: loop, after: backoff.next(jitter: .random(in: 0...1))) { [unowned self] in
            connect()
        }
    }

    /// The watches end before the descriptor is closed.
    private func disconnect() {
        reading = nil
        writing = nil
        recovery = nil
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
            sweeper = Timer(loop: loop, after: delay) { [unowned self] in sweep() }
        }
    }

    private func sweep() {
        isSweeping = false
        // A reply that arrived while the loop was busy is in time.
        if let first = pending.first, now() - first.since >= deadline, let context { receive(context) }
        guard let first = pending.first else { return }
        let left = deadline - (now() - first.since)
        if left > 0 {
            if !isSweeping { sweep(after: left) }
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
