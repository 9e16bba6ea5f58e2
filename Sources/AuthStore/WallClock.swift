internal import Glibc

/// A moment: milliseconds since 1970 UTC. Durations and token times are in seconds and say so.
public typealias Milliseconds = Int64

/// The system's clock; whatever depends on time takes the moment as an argument, or a closure like `now`.
public enum WallClock {
    /// Now.
    @Sendable public static func now() -> Milliseconds {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
