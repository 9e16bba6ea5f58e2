internal import CEvent
internal import Glibc
internal import OperatingSystem

extension EventLoop {
    /// A thread that runs an event loop of its own.
    public struct Running: Sendable {
        /// The loop.
        public let loop: EventLoop
        fileprivate let thread: UInt

        /// Waits, blocking, until the loop was stopped and its thread has ended. Call it once.
        public func join() {
            pthread_join(pthread_t(thread), nil)
        }

        /// Lets the thread end by itself, and the system take back what it kept for `join()`: for who cannot wait. Call it
        /// once, instead of that.
        public func detach() {
            pthread_detach(pthread_t(thread))
        }
    }

    /// Starts a thread that runs a new loop.
    /// - Parameters:
    ///   - name: the thread's name, of which the system shows 15 characters.
    ///   - processor: the processor to stay on; nil for any.
    /// - Throws: `EventLoopError` when the system has no thread or descriptor left.
    public static func start(name: String, processor: Int? = nil) throws(EventLoopError) -> Running {
        let loop = try EventLoop()
        guard let thread = spawn(LoopThread(loop: loop, name: name, processor: processor)) else {
            throw EventLoopError(description: "no thread can be started: \(SystemError.last)")
        }
        return Running(loop: loop, thread: thread)
    }
}

/// What a new thread is told.
private final class LoopThread: Sendable {
    let loop: EventLoop
    let name: String
    let processor: Int?

    init(loop: EventLoop, name: String, processor: Int?) {
        self.loop = loop
        self.name = name
        self.processor = processor
    }

    func run() {
        auth_name_thread(name)
        if let processor { _ = auth_pin_to_processor(UInt32(clamping: processor)) }
        loop.run()
    }
}

private func spawn(_ start: LoopThread) -> UInt? {
    let context = Unmanaged.passRetained(start)
    var thread = pthread_t()
    let status = pthread_create(
        &thread, nil,
        { context in
            guard let context else { return nil }
            Unmanaged<LoopThread>.fromOpaque(context).takeRetainedValue().run()
            return nil
        }, context.toOpaque())
    guard status == 0 else {
        context.release()
        errno = status
        return nil
    }
    return UInt(thread)
}
