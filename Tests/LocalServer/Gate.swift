internal import Foundation
internal import Synchronization

/// Holds a `LocalServer`'s handlers until a test opens it, so that the order of events is the test's to choose.
public final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// A closed gate.
    public init() {}

    /// Waits, on a server's thread, until it is open; ten seconds at most, so that a broken test ends.
    public func pass() {
        _ = semaphore.wait(timeout: .now() + 10)
        semaphore.signal()
    }

    /// Lets all through.
    public func open() { semaphore.signal() }
}

/// Waits until a condition that another task or thread brings about holds; false after ten seconds.
public func eventually(_ condition: @Sendable () async -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < end {
        if await condition() { return true }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return false
}
