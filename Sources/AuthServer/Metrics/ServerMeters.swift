import AuthStore
import OperatingSystem
import Synchronization

/// All that a server counts, from its start to its end: a change of configuration begins nothing anew.
final class ServerMeters: Sendable {
    /// Those of each serving thread, in its place.
    let threads: [ThreadCounters]
    private let startedAt: Milliseconds
    /// In seconds since 1970; 0 without TLS.
    private let certificateEnd = Atomic<Int64>(0)

    /// Meters for so many threads.
    init(threads: Int, at now: Milliseconds = WallClock.now()) {
        self.threads = (0..<threads).map { _ in ThreadCounters() }
        startedAt = now
    }

    /// Takes note of when the certificate ends that is served, in seconds since 1970; nil without TLS.
    func note(certificateEnd: Int64?) {
        self.certificateEnd.store(certificateEnd ?? 0, ordering: .relaxed)
    }

    /// What they say now.
    /// - Parameter droppedLogLines: how many lines of the log were lost.
    func read(droppedLogLines: UInt64) -> MetricsReading {
        var sum = ThreadReading()
        for thread in threads { sum.add(thread.read()) }
        let end = certificateEnd.load(ordering: .relaxed)
        return MetricsReading(
            version: version, threads: sum, threadCount: threads.count, droppedLogLines: droppedLogLines,
            certificateEnd: end == 0 ? nil : end, startedAt: startedAt, process: .now())
    }
}
