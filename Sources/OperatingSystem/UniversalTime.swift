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

    /// The seconds since 1970 of a moment as `text(_:)` writes it, or of the beginning of a day such as `2026-01-31`;
    /// nil for another text, and for a day that the calendar does not have.
    package static func seconds(_ text: String) -> Int64? {
        let whole = text.utf8.count == 10 ? text + "T00:00:00Z" : text
        let shape = Array("0000-00-00T00:00:00Z".utf8)
        let bytes = Array(whole.utf8)
        guard bytes.count == shape.count,
            zip(bytes, shape).allSatisfy({ $1 == UInt8(ascii: "0") ? (0x30...0x39).contains($0) : $0 == $1 })
        else { return nil }
        func number(_ range: Range<Int>) -> Int32 {
            bytes[range].reduce(0) { $0 * 10 + Int32($1 - 0x30) }
        }
        var parts = tm()
        parts.tm_year = number(0..<4) - 1900
        parts.tm_mon = number(5..<7) - 1
        parts.tm_mday = number(8..<10)
        parts.tm_hour = number(11..<13)
        parts.tm_min = number(14..<16)
        parts.tm_sec = number(17..<19)
        let seconds = Int64(timegm(&parts))
        return Self.text(seconds) == whole ? seconds : nil
    }
}
