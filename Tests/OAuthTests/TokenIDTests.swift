import Testing

@testable import OAuth

@Suite("Token identifiers (RFC 7519 section 4.1.7)")
struct TokenIDTests {
    private func bytes(_ id: TokenID) -> [UInt8] {
        var bytes: [UInt8] = []
        id.withBytes { span in for index in span.indices { bytes.append(span[index]) } }
        return bytes
    }

    @Test(
        "a claim's text is what it was, whatever its length",
        arguments: [
            "a", "AAAAAAAAAAAAAAAAAAAA-", "0123456789abcdefghijkl", "zyxwvutsrqponmlkjihgfe",
            "AAAAAAAAAAAAAAAAAAAA-_x", "3f2b8c1e-5d7a-4c57-9d5b-2f1f0a7c9b10", "éééééééééé-é",
            String(repeating: "j", count: 255),
        ])
    func text(text: String) throws {
        let id = try TokenID(claim: text)
        #expect(id.value == text)
        #expect(id.description == text)
        #expect(bytes(id) == Array(text.utf8))
        #expect(try id == TokenID(claim: text) && id.hashValue == TokenID(claim: text).hashValue)
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            #expect(try id == TokenID(printable: text.utf8.span))
        }
    }

    @Test("two that differ in one byte are two, at each place")
    func difference() throws {
        let text = Array("0123456789abcdefghijkl".utf8)
        let id = try TokenID(claim: String(decoding: text, as: UTF8.self))
        for place in text.indices {
            var other = text
            other[place] ^= 1
            #expect(try id != TokenID(claim: String(decoding: other, as: UTF8.self)), "place \(place)")
        }
    }

    @Test("two spellings of one character are two identifiers")
    func normalization() throws {
        #expect(try TokenID(claim: "e\u{301}") != TokenID(claim: "\u{E9}"))
    }

    @Test(
        "what is no claim's text",
        arguments: [
            "", "a\u{0}", "a\nb", "\u{7F}", "0123456789abcdefghij\u{1F}l", String(repeating: "j", count: 256),
        ])
    func noClaim(text: String) {
        #expect(throws: VocabularyError.self) { try TokenID(claim: text) }
    }

    @Test(
        "what is no identifier of this product",
        arguments: [
            "", "0123456789abcdefghijk", "0123456789abcdefghijklm", "0123456789abcdefghijk=",
            "0123456789abcdefghijk/", "0123456789abcdefghij\u{E9}", "0123456789 bcdefghijkl",
        ])
    func notOurs(text: String) {
        #expect(throws: VocabularyError.self) { try TokenID(text) }
    }

    @Test("what is too long or empty is refused where it is known to be printable")
    func printable() {
        #expect(throws: VocabularyError.self) { try TokenID(printable: "".utf8.span) }
        let long = String(repeating: "j", count: 256)
        #expect(throws: VocabularyError.self) { try TokenID(printable: long.utf8.span) }
    }
}
