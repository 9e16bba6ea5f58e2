public import EventLoop

/// A connection to Redis on one event loop: commands of concurrent tasks are pipelined, each has a deadline, and
/// a connection that is lost comes back by itself.
///
/// May be called from any task; from tasks of its loop without a lock or a hop. While Redis is known to be away
/// commands fail at once; before the first connection stands they wait for it, at most their deadline.
public final class RedisConnection: Sendable {
    /// The loop that the connection lives on.
    public let loop: EventLoop
    /// Where and how it connects.
    public let configuration: RedisConfiguration
    private let pipeline: LoopBound<Pipeline>

    /// Begins to connect as soon as the loop runs.
    public init(loop: EventLoop, configuration: RedisConfiguration) {
        self.loop = loop
        self.configuration = configuration
        let pipeline = LoopBound(Pipeline(loop: loop, configuration: configuration), loop: loop)
        self.pipeline = pipeline
        // At the next turn: an attempt may fail at once, and whoever makes this has yet to ask to be told.
        loop.execute { pipeline.value.start() }
    }

    deinit { close() }

    /// Sends a command and waits for its reply.
    /// - Throws: `RedisError`; an error reply is thrown as `.refused`.
    nonisolated(nonsending) public func command(_ command: RedisCommand) async throws(RedisError)
        -> RedisReply
    {
        let (loop, pipeline) = (loop, pipeline)
        let result = await withUnsafeContinuation {
            (waiter: UnsafeContinuation<Result<RedisReply, RedisError>, Never>) in
            if loop.isCurrent {
                pipeline.value.send(command, waiter)
            } else if !loop.execute({ pipeline.value.send(command, waiter) }) {
                waiter.resume(returning: .failure(Pipeline.closed))
            }
        }
        return try result.get()
    }

    /// Ends the connection for good, at once on its loop, else at the loop's next turn; commands that wait fail
    /// with `.unavailable`, as do later ones.
    public func close() {
        let pipeline = pipeline
        if loop.isCurrent {
            pipeline.value.close()
        } else {
            loop.execute { pipeline.value.close() }
        }
    }

    /// Told, on the loop, why the connection was lost, and with nil that one has stood again for five seconds; for a
    /// log. To be set and read on the loop's thread.
    public var onChange: ((RedisError?) -> Void)? {
        get { pipeline.value.onChange }
        set { pipeline.value.onChange = newValue }
    }
}
