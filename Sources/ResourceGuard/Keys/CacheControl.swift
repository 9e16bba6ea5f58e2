internal import OutboundHTTP

/// The freshness that a key server gives its answer (RFC 9111 §4.2).
enum CacheControl {
    /// How long the answer is fresh: `max-age` less `Age`; zero for `no-store` and `no-cache`; nil where the
    /// server does not say.
    static func age(cacheControl: String?, age: String?) -> Duration? {
        guard let cacheControl else { return nil }
        var maximum: Int64?
        for part in cacheControl.split(separator: ",") {
            let directive = part.drop { $0 == " " || $0 == "\t" }.lowercased()
            if directive.hasPrefix("no-store") || directive.hasPrefix("no-cache") { return .zero }
            if directive.hasPrefix("max-age="), maximum == nil {
                maximum = DeltaSeconds.parse(unquoted(directive.dropFirst(8)))
            }
        }
        guard let maximum else { return nil }
        let passed = age.flatMap { DeltaSeconds.parse($0) } ?? 0
        return .seconds(max(0, maximum - passed))
    }
    /// A value without the white space after it, and without quotation marks, which some servers set.
    private static func unquoted(_ text: Substring) -> Substring {
        var text = text
        while text.last == " " || text.last == "\t" { text.removeLast() }
        guard text.count >= 2, text.first == "\"", text.last == "\"" else { return text }
        return text.dropFirst().dropLast()
    }
}
