import AuthStore
import EventLoop
import Glibc
import Synchronization

/// Writes lines to standard error from a thread of its own, so that a reader that does not read never holds up
/// the loops that serve: what does not fit into the buffer is counted and dropped.
final class LogWriter: Sendable {
    /// How much waits at most, in bytes.
    static let capacity = 1 << 20
    /// Microseconds between two writes where there is much to write: each takes a processor from a loop that serves.
    private static let pause: UInt32 = 5000

    private struct Buffer {
        var bytes: [UInt8] = []
        var droppedLines = 0
        var isScheduled = false
    }

    private let buffer = Mutex(Buffer())
    /// Used by the thread alone.
    private struct Output {
        var file: LogOutput
        /// The memory of the lines that were written last, for those to come.
        var spare: [UInt8] = []
    }

    private let output: Mutex<Output>
    private let format: RequestLog.Format
    private let thread: EventLoop.Running
    private let isDone = LogDone()
    /// How many lines were dropped since it began.
    private let dropped = Atomic<UInt64>(0)

    /// Starts the thread.
    /// - Parameter format: that of the lines, and of the one that says how many were dropped.
    init(format: RequestLog.Format, descriptor: Int32 = STDERR_FILENO) throws(EventLoopError) {
        self.format = format
        output = Mutex(Output(file: LogOutput(descriptor: descriptor)))
        thread = try EventLoop.start(name: "log")
    }

    /// How many lines were dropped since it began, or could not be written.
    var droppedLines: UInt64 { dropped.load(ordering: .relaxed) }

    /// Adds lines, each of which ends in a line feed; from any thread, without waiting for the write.
    func write(_ lines: [UInt8]) {
        let mustSchedule = buffer.withLock { buffer in
            let room = Self.capacity - buffer.bytes.count
            if lines.count <= room {
                buffer.bytes += lines
            } else {
                let end = lines[..<room].lastIndex(of: LogOutput.lineFeed).map { $0 + 1 } ?? 0
                buffer.bytes += lines[..<end]
                let rest = LogOutput.count(lines[end...])
                buffer.droppedLines += rest
                dropped.add(UInt64(rest), ordering: .relaxed)
            }
            defer { buffer.isScheduled = true }
            return !buffer.isScheduled
        }
        guard mustSchedule else { return }
        thread.loop.execute { [self] in
            flush()
            // What is added meanwhile waits for its end, and is written together.
            usleep(Self.pause)
        }
    }

    /// Writes what waits; blocks until that is done, or for a second where nobody reads standard error.
    func close() {
        thread.loop.execute { [self] in flush() }
        thread.loop.execute { [isDone] in isDone.flag.store(true, ordering: .releasing) }
        for _ in 0..<200 where !isDone.flag.load(ordering: .acquiring) { usleep(5000) }
    }

    private func flush() {
        output.withLock { output in
            var waiting = Buffer(bytes: output.spare)
            output.spare = []
            buffer.withLock { swap(&$0, &waiting) }
            let lost = output.file.write(waiting.bytes)
            dropped.add(UInt64(lost), ordering: .relaxed)
            let unsaid = waiting.droppedLines + lost
            if waiting.bytes.capacity <= Self.capacity / 8 {
                waiting.bytes.removeAll(keepingCapacity: true)
                output.spare = waiting.bytes
            }
            guard unsaid > 0, output.file.write(notice(of: unsaid)) > 0 else { return }
            // To be said with the next lines.
            buffer.withLock { $0.droppedLines += unsaid }
        }
    }

    private func notice(of dropped: Int) -> [UInt8] {
        let reason = "they are not read fast enough, or cannot be written"
        let text = "\(dropped) log lines were dropped: \(reason)"
        return Array(RequestLog.line(text, milliseconds: WallClock.now(), format: format).utf8)
    }
}

/// Whether the last lines were written.
private final class LogDone: Sendable {
    let flag = Atomic<Bool>(false)
}
