/// Durations as people write them: `30s`, `15m`, `24h`, `7d`, or plain seconds.
enum DurationText {
    /// The seconds that a text stands for, or nil when it is no duration or out of range.
    static func seconds(_ text: String) -> Int64? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int64(digits), let unit = units[String(text.dropFirst(digits.count))] else {
            return nil
        }
        let (seconds, overflows) = count.multipliedReportingOverflow(by: unit)
        return overflows || seconds > longest ? nil : seconds
    }

    /// The shortest text for so many seconds, such as `24h`.
    static func text(seconds: Int64) -> String {
        for (unit, name) in [(86_400, "d"), (3600, "h"), (60, "m")] as [(Int64, String)]
        where seconds >= unit && seconds % unit == 0 {
            return "\(seconds / unit)\(name)"
        }
        return "\(seconds)s"
    }

    /// What an error says about a text that is no duration.
    static let expectation = "write a duration such as 30s, 15m, 24h, 7d, or seconds"

    private static let units: [String: Int64] = ["": 1, "s": 1, "m": 60, "h": 3600, "d": 86_400]
    /// A hundred years: sums with the time of day stay far from overflow.
    private static let longest: Int64 = 100 * 366 * 86_400
}
