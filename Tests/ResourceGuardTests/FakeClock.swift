import Synchronization

@testable import ResourceGuard

/// A clock that stands until a test moves it.
final class FakeClock: Sendable {
    private let start = ContinuousClock.now
    private let passed = Mutex(Duration.zero)

    func advance(_ duration: Duration) { passed.withLock { $0 += duration } }

    /// The guard's clocks: `TestIssuer.now`, and what has passed since.
    var clock: GuardClock {
        GuardClock(
            date: { TestIssuer.now + self.passed.withLock(\.components.seconds) },
            now: { self.start + self.passed.withLock { $0 } })
    }
}
