internal import EventLoop

/// What all copies of a store share: the queue, the writer's thread, and a second one that keeps deadlines while
/// the writer is held up by the disk or by a lock.
final class SQLiteTokenStoreCore: Sendable {
    private static let deadlineResolution = Duration.milliseconds(50)

    private let path: String
    private let configuration: SQLiteTokenStoreConfiguration
    private let queue: TokenQueue
    private let trouble = TokenStoreTrouble()
    /// For callers on any thread.
    let sharedReader: SharedTokenReader
    private let writerThread: EventLoop.Running
    private let writer: LoopBound<TokenWriter>
    private let deadlineThread: EventLoop.Running
    private let deadlines: LoopBound<DeadlineKeeper>

    init(
        path: String, configuration: SQLiteTokenStoreConfiguration, onMigration: MigrationObserver?
    ) throws(StoreError) {
        self.path = path
        self.configuration = configuration
        queue = TokenQueue(capacity: configuration.maximumPending)
        sharedReader = SharedTokenReader(path: path, now: configuration.now)
        let tokenWriter = try TokenWriter(
            queue: queue, path: path, configuration: configuration, trouble: trouble,
            sharedReader: sharedReader, onMigration: onMigration)
        do {
            writerThread = try EventLoop.start(name: "token-writer")
            deadlineThread = try EventLoop.start(name: "token-deadline")
        } catch { throw StoreError(.io, "the token store has no thread: \(error)") }
        let writer = LoopBound(tokenWriter, loop: writerThread.loop)
        let deadlines = LoopBound(DeadlineKeeper(queue: queue), loop: deadlineThread.loop)
        self.writer = writer
        self.deadlines = deadlines
        writer.loop.execute { writer.value.start(on: writer.loop) }
        deadlines.loop.execute {
            deadlines.value.start(on: deadlines.loop, every: Self.deadlineResolution)
        }
    }

    /// A store that nobody closed: what is confined to its loops is let go there, and its threads end.
    deinit {
        guard queue.close() else { return }
        let writer = writer
        writer.loop.execute { writer.value.stop() }
        endThreads()
    }

    /// What is wrong with the files beside the store's; nil where all is well.
    var lossOfSideFile: String? { trouble.text }

    func makeReader() -> TokenReader { TokenReader(path: path, now: configuration.now) }

    /// A request that ends at the store's deadline.
    func makeRequest(
        _ operation: TokenOperation, loop: EventLoop?,
        waiter: CheckedContinuation<TokenRequest.Outcome, Never>
    ) -> TokenRequest {
        TokenRequest(
            operation, deadline: ContinuousClock.now + configuration.deadline, loop: loop, waiter: waiter)
    }

    /// Gives requests to the writer, which is woken once for all, or answers those that it has no room for.
    func enqueue(_ requests: [TokenRequest]) {
        var mustWake = false
        for request in requests {
            switch queue.add(request) {
            case .queued: break
            case .first: mustWake = true
            case .full: request.answer(.failure(.overloaded))
            case .closed: request.answer(.failure(.unavailable("it was closed")))
            }
        }
        guard mustWake else { return }
        let writer = writer
        writer.loop.execute { writer.value.drain() }
    }

    func close() async {
        guard queue.close() else { return }
        let writer = writer
        await withCheckedContinuation { continuation in
            writer.loop.execute {
                writer.value.drain()
                writer.value.stop()
                continuation.resume()
            }
        }
        endThreads()
    }

    private func endThreads() {
        let deadlines = deadlines
        deadlines.loop.execute { deadlines.value.stop() }
        for thread in [writerThread, deadlineThread] {
            thread.loop.stop()
            // The last reference may be let go by a thread of the store itself.
            if !thread.loop.isCurrent { thread.join() }
        }
    }
}

/// Ends the requests whose deadline has passed. Confined to its loop.
private final class DeadlineKeeper {
    private let queue: TokenQueue
    private var timer: Timer?

    init(queue: TokenQueue) {
        self.queue = queue
    }

    func start(on loop: EventLoop, every interval: Duration) {
        timer = Timer(loop: loop, after: interval, repeats: true) { [queue] in
            queue.expire(at: ContinuousClock.now)
        }
    }

    func stop() {
        timer = nil
    }
}
