import OAuth
import Testing

@testable import TokenClient

struct TokenBookTests {
    private let start = ContinuousClock.now

    private func purpose(_ number: Int) throws -> TokenBook.Purpose {
        TokenBook.Purpose(resource: try ResourceID("R\(number)"), scopes: ["read"])
    }

    private func response(_ value: String) throws -> TokenResponse {
        let body = #"{"access_token":"\#(value)","token_type":"Bearer","expires_in":3600}"#
        return try TokenResponse(Array(body.utf8), requested: [])
    }

    @Test func `the token unused for longest goes first`() throws {
        var book = TokenBook(capacity: 2)
        for number in 1...2 {
            _ = book.need(try purpose(number), now: start + .seconds(number))
            book.finish(
                try purpose(number), .success(try response("t\(number)")), requestedAt: start, now: start)
        }
        _ = book.need(try purpose(1), now: start + .seconds(3))
        #expect(book.need(try purpose(3), now: start + .seconds(4)).startsRequest)
        #expect(book.count == 2)
        #expect(
            book.need(try purpose(1), now: start + .seconds(5)).decision == .use(try response("t1").token))
    }

    @Test func `what is being fetched is never put out; a further purpose is refused`() throws {
        var book = TokenBook(capacity: 1)
        _ = book.need(try purpose(1), now: start)
        #expect(book.need(try purpose(2), now: start).decision == .fail(.overloaded))
        #expect(book.need(try purpose(1), now: start).decision == .wait)
    }

    @Test func `other scopes at one resource are another token`() throws {
        var book = TokenBook(capacity: 10)
        let resource = try ResourceID("R1")
        #expect(book.need(.init(resource: resource, scopes: ["read"]), now: start).startsRequest)
        #expect(book.need(.init(resource: resource, scopes: ["read", "write"]), now: start).startsRequest)
        #expect(!book.need(.init(resource: resource, scopes: ["write", "read"]), now: start).startsRequest)
    }
}
