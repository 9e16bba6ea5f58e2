internal import OutboundHTTP

/// Whether a failed attempt is worth another, and when. Pure.
struct RetryPolicy: Sendable {
    /// What to do after an attempt.
    enum Next: Equatable {
        case retry(after: Duration)
        case giveUp
    }

    var backoff = Backoff(first: .milliseconds(200), maximum: .seconds(5))

    /// Decides after a failure that time may mend.
    /// - Parameters:
    ///   - attempts: how many attempts were made.
    ///   - retryAfter: what the server asks for.
    ///   - remaining: what is left until the deadline; no wait is begun that it would cut.
    ///   - jitter: a random number in 0..<1.
    func next(afterAttempts attempts: Int, retryAfter: Duration?, remaining: Duration, jitter: Double) -> Next
    {
        let wait = max(backoff.delay(afterFailures: attempts, jitter: jitter), retryAfter ?? .zero)
        return wait < remaining ? .retry(after: wait) : .giveUp
    }

    /// Whether time may mend this status: overload and maintenance, of the server or of a proxy before it.
    static func isTransient(status: Int) -> Bool { [429, 502, 503, 504].contains(status) }
}
