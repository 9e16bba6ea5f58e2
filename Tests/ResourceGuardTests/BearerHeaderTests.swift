import Testing

@testable import ResourceGuard

struct BearerHeaderTests {
    private func read(_ text: String) -> BearerHeader.Reading {
        let bytes = Array(text.utf8)
        return BearerHeader.read(bytes.span)
    }

    @Test(arguments: [
        ("Bearer abc", 7), ("bearer abc", 7), ("BEARER abc", 7), ("bEaReR abc", 7), ("Bearer   abc", 9),
        ("Bearer a.b-c_d~e+f/g==", 7), ("Bearer a=b", 7),
    ])
    func `G11 the scheme has no case, and spaces part it from the token (RFC 9110 §11.4)`(
        value: String, offset: Int
    ) { #expect(read(value) == .token(offset: offset)) }

    @Test(arguments: [
        "Bearer", "Bearer ", "Bearer    ", "Bearer\tabc", "Bearer abc ", "Bearer abc\n", "Bearer a\nb",
        "Bearer a b", "Bearer a,b", "Bearer a, Bearer b", "Bearer \"abc\"", "Bearer é", "Bearer a\u{0}",
        #"Bearer {"payload":"x"}"#, "Bearer abc!!!!", "Bearer:abc",
    ])
    func `G11 anything else after Bearer is malformed`(value: String) { #expect(read(value) == .malformed) }

    @Test(arguments: ["Basic YTpi", "Bearerabc x", "Bear abc", "DPoP abc", "Basic "])
    func `another scheme is no credentials (RFC 6750 §3.1)`(value: String) {
        #expect(read(value) == .anotherScheme)
    }

    @Test(arguments: ["", " ", "abc", "a.b.c", "BearerX", " Bearer abc", "Basic\tYTpi", "Basic:YTpi"])
    func `no scheme is no credentials either`(value: String) { #expect(read(value) == .noScheme) }

    @Test func `the fast way finds the token where the strict one finds it`() {
        for text in ["Bearer abc", "bearer abc", "Bearer", "Bearer ", "Basic abcd", "", "Bearer\tabc"] {
            let bytes = Array(text.utf8)
            guard let offset = BearerHeader.usualOffset(bytes.span) else { continue }
            #expect(BearerHeader.read(bytes.span) == .token(offset: offset))
        }
        let usual = Array("Bearer abc".utf8)
        #expect(BearerHeader.usualOffset(usual.span) == 7)
    }
}
