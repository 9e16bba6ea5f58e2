import OutboundHTTP

@testable import AuthServer
@testable import ResourceGuard

extension FuzzTarget {
    /// Numbers and times of header fields (RFC 9111, RFC 9110 §10.2.3) and of the command line: Cache-Control, Age,
    /// Retry-After and a duration, a line each.
    static let cacheFields = FuzzTarget(name: "cache-fields") { input in
        let lines = input.texts() + ["", "", "", ""]
        checkFreshness(lines[0], lines[1])
        checkRetryAfter(lines[2])
        checkDuration(lines[3])
        checkDuration(lines[0])
    }

    private static let longest = Duration.seconds(DeltaSeconds.longest)

    private static func checkFreshness(_ cacheControl: String, _ age: String) {
        let bare = CacheControl.age(cacheControl: cacheControl, age: nil)
        let aged = CacheControl.age(cacheControl: cacheControl, age: age)
        demand((bare == nil) == (aged == nil), "Age makes an answer fresh")
        if let bare, let aged {
            demand(bare >= .zero && bare <= longest, "a freshness of \(bare)")
            demand(aged >= .zero && aged <= bare, "Age makes an answer younger")
        }
        let lowered = cacheControl.lowercased()
        if bare == nil { demand(!lowered.hasPrefix("no-store"), "no-store is not seen") }
        // RFC 9111 §1.2.2: delta-seconds are digits.
        guard let bare, bare != .zero else { return }
        let numbers = lowered.split { !"0123456789".contains($0) }.compactMap { Int64($0) ?? .max }
        demand(
            numbers.contains { min($0, DeltaSeconds.longest) == bare.components.seconds },
            "\(bare) is not in \(cacheControl.debugDescription)")
    }

    private static func checkRetryAfter(_ value: String) {
        let response = OutboundResponse(status: 503, fields: ["retry-after": value])
        guard let wait = response.retryAfter else { return }
        demand(wait >= .zero && wait <= longest, "a wait of \(wait)")
        demand(value.utf8.allSatisfy { (0x30...0x39).contains($0) }, "\(value.debugDescription) is a number")
    }

    private static func checkDuration(_ text: String) {
        guard let seconds = DurationText.seconds(text) else { return }
        demand((0...4_000_000_000).contains(seconds), "a duration of \(seconds)")
        demand(DurationText.seconds(DurationText.text(seconds: seconds)) == seconds, "a duration changes")
        demand(
            text.utf8.first.map { (0x30...0x39).contains($0) } == true,
            "\(text.debugDescription) is a duration")
    }
}
