internal import OutboundHTTP

/// The times that rule how long keys are trusted and how often they are fetched.
struct KeyCachePolicy: Sendable {
    /// A shorter max-age counts as this much, so that a server cannot have itself flooded.
    var minimumAge: Duration = .seconds(10)
    /// A longer max-age counts as this much, so that a withdrawn key is noticed within a day.
    var maximumAge: Duration = .seconds(24 * 3600)
    /// Where the server says nothing.
    var usualAge: Duration = .seconds(300)
    /// The least time between two fetches that unknown keys cause.
    var cooldown: Duration = .seconds(10)
    /// How long keys are trusted beyond their age while they cannot be fetched.
    var staleness: Duration = .seconds(24 * 3600)
    /// Between failed fetches.
    var backoff = Backoff(first: .seconds(1), maximum: .seconds(60))

    /// The age that counts.
    func bounded(_ age: Duration?) -> Duration { min(max(age ?? usualAge, minimumAge), maximumAge) }
}

extension KeyCachePolicy {
    /// What the service set, and the defaults for the rest.
    init(_ configuration: ResourceGuard.Configuration) {
        self.init()
        cooldown = configuration.keyCooldown.bounded
        staleness = configuration.keyStaleness.bounded
    }
}
