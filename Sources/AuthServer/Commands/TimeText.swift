internal import AuthStore
internal import OperatingSystem

/// Moments as people and programs read them.
enum TimeText {
    /// A moment in UTC, such as `2026-01-31T12:00:00Z`.
    static func text(_ moment: Milliseconds) -> String {
        UniversalTime.text(moment / 1000)
    }

    /// A moment that may be missing.
    static func text(_ moment: Milliseconds?, orElse absence: String) -> String {
        moment.map { text($0) } ?? absence
    }
}
