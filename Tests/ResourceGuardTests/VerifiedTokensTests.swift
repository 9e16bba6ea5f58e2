import AccessToken
import OAuth
import Testing

@testable import ResourceGuard

struct VerifiedTokensTests {
    private func token(_ text: String, expiresAt: Int64 = TestIssuer.now + 3600) throws -> VerifiedToken {
        let payload = TestIssuer.payload(["exp": "\(expiresAt)"])
        let compact =
            TestIssuer.encode(#"{"alg":"ES256","typ":"at+jwt","kid":"k"}"#) + "." + TestIssuer.encode(payload)
            + ".AAAA"
        let bytes = Array(compact.utf8)
        return VerifiedToken(
            bytes: Array(text.utf8), try AccessTokenDecoder.decode(bytes), keyRevision: 1)
    }

    private func find(_ table: VerifiedTokens, _ text: String) -> VerifiedToken? {
        let bytes = Array(text.utf8)
        return table.find(bytes.span)
    }

    @Test func `a token is found by all its bytes`() throws {
        let table = try #require(VerifiedTokens(capacity: 100))
        let tail = String(repeating: "s", count: 40)
        table.insert(try token("head1." + tail))
        #expect(find(table, "head1." + tail) != nil)
        #expect(find(table, "head2." + tail) == nil)
        #expect(find(table, "head1." + tail.dropLast()) == nil)
        #expect(find(table, tail) == nil)
        #expect(find(table, "") == nil)
    }

    @Test(arguments: [1, 7, 8, 9, 100, 1000]) func `the table never holds more than its capacity`(
        capacity: Int
    ) throws {
        let table = try #require(VerifiedTokens(capacity: capacity))
        for number in 0..<capacity * 4 { table.insert(try token("token-\(number)")) }
        #expect(table.count <= capacity)
        #expect(table.count >= capacity / 2)
    }

    @Test func `a token inserted twice is held once`() throws {
        let table = try #require(VerifiedTokens(capacity: 100))
        for _ in 1...10 { table.insert(try token("same")) }
        #expect(table.count == 1)
    }

    @Test func `what ends first makes room`() throws {
        let table = try #require(VerifiedTokens(capacity: 2))
        table.insert(try token("early", expiresAt: TestIssuer.now + 1))
        table.insert(try token("late", expiresAt: TestIssuer.now + 9))
        table.insert(try token("middle", expiresAt: TestIssuer.now + 5))
        #expect(find(table, "early") == nil)
        #expect(find(table, "late") != nil && find(table, "middle") != nil)
    }

    @Test func `no capacity means no table`() { #expect(VerifiedTokens(capacity: 0) == nil) }
}
