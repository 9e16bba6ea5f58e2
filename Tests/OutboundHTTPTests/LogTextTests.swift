import OutboundHTTP
import Testing

struct LogTextTests {
    @Test(arguments: [
        ("", #""""#), ("http://a.b", #""http://a.b""#), ("a\nb\r\u{0}", #""a\nb\r\0""#),
        ("\u{1B}[2J", #""\u{1B}[2J""#), ("\u{7F}\u{85}", #""\u{7F}\u{0085}""#), ("a\"b\\", #""a\"b\\""#),
        ("\u{202E}\u{2028}\u{E9}", #""\u{202E}\u{2028}\u{00E9}""#), ("12345678901", #""1234567890…""#),
    ])
    func `a text of others is one short line of visible ASCII`(text: String, expected: String) {
        #expect(LogText.quoted(text, maximum: 10) == expected)
    }
}
