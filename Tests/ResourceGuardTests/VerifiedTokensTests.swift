import AccessToken
import JOSE
import OAuth
import Testing

@testable import ResourceGuard

struct VerifiedTokensTests {
    /// A token that ends in this text; nothing of it is verified.
    private func token(
        _ end: String, keyID: String = "k", expiresAt: Int64 = TestIssuer.now + 3600
    ) throws -> VerifiedToken {
        let header = #"{"alg":"ES256","typ":"at+jwt","kid":"\#(keyID)"}"#
        let payload = TestIssuer.payload(["exp": "\(expiresAt)"])
        let text = TestIssuer.encode(header) + "." + TestIssuer.encode(payload) + "." + TestIssuer.encode(end)
        return VerifiedToken(try AccessTokenDecoder.decode(Array(text.utf8)), keyRevision: 1)
    }

    private func find(_ table: VerifiedTokens, _ token: VerifiedToken) -> VerifiedToken? {
        table.find(token.text.span)
    }

    @Test func `a token is found by all its bytes`() throws {
        let table = try #require(VerifiedTokens(capacity: 100))
        let tail = String(repeating: "s", count: 40)
        table.insert(try token(tail))
        #expect(find(table, try token(tail)) != nil)
        #expect(find(table, try token(tail, keyID: "l")) == nil)
        #expect(find(table, try token(String(tail.dropLast()))) == nil)
        let bytes = try token(tail).text.bytes
        for bytes in [[], Array(bytes.dropFirst()), Array(bytes.dropLast())] {
            let found = table.find(bytes.span)
            #expect(found == nil)
        }
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
        #expect(find(table, try token("early", expiresAt: TestIssuer.now + 1)) == nil)
        #expect(find(table, try token("late", expiresAt: TestIssuer.now + 9)) != nil)
        #expect(find(table, try token("middle", expiresAt: TestIssuer.now + 5)) != nil)
    }

    @Test func `no capacity means no table`() { #expect(VerifiedTokens(capacity: 0) == nil) }
}
