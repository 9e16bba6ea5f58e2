import Testing

@testable import JOSE

struct TokenTextTests {
    /// Texts of up to 15 bytes have no memory of their own.
    @Test(arguments: 0...40) func `it is the end of a text`(count: Int) {
        let token = String("abcdefghijklmnopqrstuvwxyz0123456789-_.~".prefix(count))
        for start in ["", "Bearer ", "bearer  "] {
            let text = TokenText(start + token, from: start.utf8.count)
            #expect(text.bytes == Array(token.utf8))
            #expect(Self.bytes(of: text) == Array(token.utf8))
        }
    }

    @Test(arguments: 0...40) func `it is bytes`(count: Int) {
        let bytes = (0..<count).map { UInt8($0 * 6) }
        #expect(TokenText(bytes).bytes == bytes)
        #expect(Self.bytes(of: TokenText(bytes)) == bytes)
    }

    private static func bytes(of text: TokenText) -> [UInt8] {
        let span = text.span
        return span.indices.map { span[$0] }
    }
}
