/// Asks again and again, until the answer is true or the deadline has passed.
/// - Throws: `TestFailure` that names `what` when it never was.
public func eventually(
    _ what: String, within limit: Duration = .seconds(30), _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
        if try await condition() { return }
        try await Task.sleep(for: .milliseconds(5))
    }
    throw TestFailure("\(what): not within \(limit)")
}
