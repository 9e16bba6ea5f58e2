import EventLoop
import Synchronization

/// Does what SIGHUPs ask for, one after the other; those that come meanwhile are one.
///
/// On a thread of its own: a file that is read again may be a pipe which nobody has written yet, and the registry may
/// be locked. Neither keeps the server from ending, as it would on a thread of Swift's pool, which may have but one.
final class Rereading: Sendable {
    private let thread: EventLoop.Running
    private let requests: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let isRefusing = Atomic<Bool>(false)
    private let isBusy = Atomic<Bool>(false)

    /// Starts the thread, which keeps requests until it is told what to do.
    init() throws(CommandError) {
        do { thread = try EventLoop.start(name: "reread") } catch {
            throw CommandError(.failed, error.description)
        }
        (requests, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Asks for one more; from any thread.
    func request() { continuation.yield() }

    /// Begins to do what is asked for. Once only.
    func start(_ body: @escaping @Sendable () async -> Void) {
        Task(executorPreference: thread.loop) { [self] in
            for await _ in requests {
                isBusy.store(true, ordering: .sequentiallyConsistent)
                if !isRefusing.load(ordering: .sequentiallyConsistent) { await body() }
                isBusy.store(false, ordering: .sequentiallyConsistent)
            }
        }
    }

    /// Begins no more.
    func refuse() {
        isRefusing.store(true, ordering: .sequentiallyConsistent)
        continuation.finish()
    }

    /// Ends the thread, after `refuse`.
    /// - Returns: false where it is still busy, and goes on.
    func end() -> Bool {
        guard !isBusy.load(ordering: .sequentiallyConsistent) else { return false }
        thread.loop.stop()
        thread.join()
        return true
    }
}
