import Testing

@testable import AuthServer

@Suite("Durations")
struct DurationTextTests {
    @Test(
        "A number and a unit",
        arguments: [("0", 0), ("90", 90), ("30s", 30), ("15m", 900), ("24h", 86_400), ("7d", 604_800)])
    func parses(text: String, seconds: Int64) {
        #expect(DurationText.seconds(text) == seconds)
    }

    @Test(
        "Nothing else",
        arguments: [
            "", "h", "-1", "+5", "1.5h", "1h30m", " 1h", "1 h", "1H", "٣s", "99999999999999999999", "40000d",
        ])
    func refuses(text: String) {
        #expect(DurationText.seconds(text) == nil)
    }

    @Test(
        "The shortest text", arguments: [(0, "0s"), (90, "90s"), (120, "2m"), (3600, "1h"), (172_800, "2d")])
    func prints(seconds: Int64, text: String) {
        #expect(DurationText.text(seconds: seconds) == text)
    }
}
