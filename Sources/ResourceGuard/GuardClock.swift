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
    var date: @Sendable () -> Int64 = { Int64(time(nil)) }
    /// A clock that no one sets.
    var now: @Sendable () -> ContinuousClock.Instant = { .now }

    // Not in each clock: the standard library does not promise how large an instant is, so that a clock that holds
    // one is copied by way of tables at each use.
    private static let origin = ContinuousClock.now

    /// The steady clock in milliseconds.
    func ticks() -> Int64 { ticks(of: now()) }

    /// An instant in milliseconds of the steady clock.
    func ticks(of instant: ContinuousClock.Instant) -> Int64 {
        let (seconds, attoseconds) = (instant - Self.origin).components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
