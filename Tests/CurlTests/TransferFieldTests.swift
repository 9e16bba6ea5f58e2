import Testing

@testable import Curl

struct TransferFieldTests {
    @Test(arguments: [("Accept", "application/json"), ("x-y_z!", ""), ("A", "\t b"), ("A", "é")])
    func `a token and visible text can be sent`(name: String, value: String) {
        #expect(TransferField(name, value).isValid)
    }

    @Test(arguments: [
        ("A", "x\r\nB: y"), ("A", "x\ny"), ("A", "x\ry"), ("A", "x\0"), ("A", "\u{7F}"), ("", "x"),
        ("A:", "x"),
        ("A B", "x"), ("A\r\n", "x"), ("Ä", "x"),
    ])
    func `what would end the line or the name is refused (RFC 9110 §5.5)`(name: String, value: String) {
        #expect(!TransferField(name, value).isValid)
    }
}
