internal import Glibc

/// The calendar, in UTC.
package enum UniversalTime {
    /// A moment as ISO 8601 has it, such as `2026-01-31T12:00:00Z`.
    /// - Parameter seconds: those since 1970.
    package static func text(_ seconds: Int64) -> String {
        var time = time_t(seconds)
        var parts = tm()
        guard gmtime_r(&time, &parts) != nil else { return "\(seconds) s" }
        var text = [CChar](repeating: 0, count: 64)
        let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(characters: text[..<count])
    }
}
