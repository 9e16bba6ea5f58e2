/// What a condition that never held is called.
struct NeverHeld: Error {}

/// Asks again until a condition holds.
/// - Throws: `NeverHeld`, or the condition's last error, after ten seconds.
func eventually(
    isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws {
    try await eventuallySucceeds { guard try await condition() else { throw NeverHeld() } }
}

/// Tries again until it succeeds; fails with the last error after ten seconds.
func eventuallySucceeds(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async throws {
    let end = ContinuousClock.now + .seconds(10)
    while true {
        do {
            return try await body()
        } catch {
            if ContinuousClock.now > end { throw error }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
