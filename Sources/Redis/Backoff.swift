/// How long to wait before the next attempt: 50 ms, doubled up to 2 s, shortened by up to half at random, so
/// that the connections of many loops and processes do not come back all at once.
struct Backoff {
    private var failures = 0

    /// The pause after one more failure.
    /// - Parameter jitter: a random number from 0 to 1.
    mutating func next(jitter: Double) -> Duration {
        let delay = min(50 << failures, 2000)
        failures = min(failures + 1, 6)
        return .microseconds(Int64(Double(delay) * 1000 * (0.5 + jitter / 2)))
    }

    /// Begins anew: a connection was good.
    mutating func reset() { failures = 0 }
}
