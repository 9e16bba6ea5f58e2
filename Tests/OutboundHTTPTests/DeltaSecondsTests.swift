import OutboundHTTP
import Testing

struct DeltaSecondsTests {
    @Test(arguments: [
        ("0", 0), ("007", 7), ("120", 120), ("2147483648", 2_147_483_648), ("99999999999", 2_147_483_648),
        ("99999999999999999999999", 2_147_483_648), ("", nil), ("+5", nil), ("-0", nil), ("-000", nil),
        ("1.5", nil),
        (" 1", nil), ("1 ", nil), ("0x10", nil), ("1e3", nil), ("\u{0663}", nil),
        ("Wed, 21 Oct 2026 07:28:00 GMT", nil),
    ])
    func `Retry-After is digits and nothing else (RFC 9110 §10.2.3)`(text: String, seconds: Int64?) {
        let response = OutboundResponse(status: 503, fields: ["retry-after": text])
        #expect(response.retryAfter == seconds.map { .seconds($0) })
    }
}
