/// How long to wait after a failure: doubling, bounded, and spread so that many clients do not return at once.
package struct Backoff: Sendable {
    /// The wait after the first failure, before it is spread.
    package let first: Duration
    /// The longest wait.
    package let maximum: Duration

    /// A rule.
    package init(first: Duration, maximum: Duration) {
        self.first = first
        self.maximum = maximum
    }

    /// The wait after so many failures in a row: between half of the bound for that count and all of it.
    /// - Parameter jitter: a random number in 0..<1.
    package func delay(afterFailures failures: Int, jitter: Double) -> Duration {
        var bound = first
        for _ in 1..<max(1, failures) where bound < maximum { bound *= 2 }
        return min(bound, maximum) * (0.5 + jitter / 2)
    }
}
