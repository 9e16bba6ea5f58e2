import EventLoop
import Glibc
import Synchronization

/// Writes lines to standard error from a thread of its own, so that a reader that does not read never holds up
/// the loops that serve: what does not fit into the buffer is counted and dropped.
final class LogWriter: Sendable {
    /// How much waits at most, in bytes.
    static let capacity = 1 << 20

    private struct Buffer {
        var bytes: [UInt8] = []
        var droppedLines = 0
        var isScheduled = false
    }

    private let buffer = Mutex(Buffer())
    private let thread: EventLoop.Running
    private let isDone = LogDone()

    /// Starts the thread.
    init() throws(EventLoopError) {
        thread = try EventLoop.start(name: "log")
    }

    /// Adds a line, which ends in a line feed; from any thread, without waiting for the write.
    func write(_ line: [UInt8]) {
        let mustSchedule = buffer.withLock { buffer in
            guard buffer.bytes.count + line.count <= Self.capacity else {
                buffer.droppedLines += 1
                return false
            }
            buffer.bytes += line
            defer { buffer.isScheduled = true }
            return !buffer.isScheduled
        }
        if mustSchedule { thread.loop.execute { [self] in flush() } }
    }

    /// Writes what waits; blocks until that is done, or for a second where nobody reads standard error.
    func close() {
        thread.loop.execute { [self] in flush() }
        thread.loop.execute { [isDone] in isDone.flag.store(true, ordering: .releasing) }
        for _ in 0..<200 where !isDone.flag.load(ordering: .acquiring) { usleep(5000) }
    }

    private func flush() {
        let (bytes, dropped) = buffer.withLock { buffer in
            defer { buffer = Buffer() }
            return (buffer.bytes, buffer.droppedLines)
        }
        Self.writeAll(bytes)
        if dropped > 0 {
            Self.writeAll(
                Array("authserver: \(dropped) log lines were dropped: they are not read fast enough\n".utf8))
        }
    }

    private static func writeAll(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let chunk = Array(rest.prefix(65536))
            let count = Glibc.write(STDERR_FILENO, chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

/// Whether the last lines were written.
private final class LogDone: Sendable {
    let flag = Atomic<Bool>(false)
}
