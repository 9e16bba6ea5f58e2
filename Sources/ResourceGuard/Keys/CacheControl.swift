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
                maximum = UInt32(directive.dropFirst(8).filter { $0 != "\"" && $0 != " " }).map(Int64.init)
            }
        }
        guard let maximum else { return nil }
        let passed = age.flatMap { UInt32($0) }.map(Int64.init) ?? 0
        return .seconds(max(0, maximum - passed))
    }
}
