import AuthStore
import JOSE

/// Writes moments such as `2026-01-31T12:00:00.123Z`, and makes the text of a second once.
struct ClockText {
    private var second: Int64 = .min
    private var text: [UInt8] = []

    /// Appends a moment.
    mutating func append(_ milliseconds: Milliseconds, to output: inout [UInt8], prefix: StaticString) {
        // A clock before 1970 is no reason to end.
        let (second, rest) = max(0, milliseconds).quotientAndRemainder(dividingBy: 1000)
        if second != self.second {
            self.second = second
            text = Array(TimeText.text(second * 1000).utf8.dropLast())
        }
        JSON.append(prefix, to: &output)
        output += text
        output.append(UInt8(ascii: "."))
        for divisor in [100, 10, 1] as [Int64] {
            output.append(UInt8(ascii: "0") + UInt8(rest / divisor % 10))
        }
        output.append(UInt8(ascii: "Z"))
    }
}
