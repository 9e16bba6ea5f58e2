#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The clocks that decisions are made by: the date for claims, a steady clock for the age of keys.
struct GuardClock: Sendable {
    /// Seconds since 1970.
    let date: @Sendable () -> Int64
    /// A clock that no one sets.
    let now: @Sendable () -> ContinuousClock.Instant
    /// The steady clock in milliseconds. Each token asks it: it is the system's clock without the standard library's
    /// arithmetic of 128 bits.
    let ticks: @Sendable () -> Int64

    /// The system's clocks.
    init() {
        date = { Int64(time(nil)) }
        now = { .now }
        ticks = { Self.milliseconds() }
    }

    /// Other clocks.
    init(date: @escaping @Sendable () -> Int64, now: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.date = date
        self.now = now
        ticks = { Self.ticks(of: now()) }
    }

    // Not in each clock: the standard library does not promise how large an instant is, so that what holds one is copied
    // by way of tables at each use.
    private static let origin = (instant: ContinuousClock.now, milliseconds: milliseconds())

    /// An instant in milliseconds of the steady clock.
    static func ticks(of instant: ContinuousClock.Instant) -> Int64 {
        let (seconds, attoseconds) = (instant - origin.instant).components
        return origin.milliseconds + seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }

    /// `ContinuousClock`'s clock, which also counts while the machine sleeps.
    private static func milliseconds() -> Int64 {
        var time = timespec()
        #if canImport(Darwin)
            clock_gettime(CLOCK_MONOTONIC, &time)
        #else
            clock_gettime(CLOCK_BOOTTIME, &time)
        #endif
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
