import ExampleSupport
import TestSupport
import Testing

@testable import Book
@testable import Review

@Suite("Databases of the examples")
struct StoreTests {
    @Test func `a new catalog has ten books, and no more when it is opened again`() throws {
        let directory = try TemporaryDirectory()
        _ = try BookStore(path: directory.file("book.db"))
        let store = try BookStore(path: directory.file("book.db"))
        #expect(try store.books(Page()).map(\.id) == Array(1...10))
        #expect(try store.book(1)?.title == "Moby-Dick")
        #expect(try store.book(11) == nil)
    }

    @Test(arguments: [("page=0&size=4", [1, 2, 3, 4]), ("page=2&size=4", [9, 10]), ("page=3&size=4", [])])
    func `a page of books`(query: String, ids: [Int64]) throws {
        let store = try BookStore(path: ":memory:")
        #expect(try store.books(Page(query: query)).map(\.id) == ids)
    }

    @Test func `a new review service has ten different reviews a book, and no more when it is opened again`()
        throws
    {
        let directory = try TemporaryDirectory()
        _ = try ReviewStore(path: directory.file("review.db"))
        let store = try ReviewStore(path: directory.file("review.db"))
        #expect(try store.reviews(Page()).map(\.id) == Array(1...100))
        for book in 1...10 as ClosedRange<Int64> {
            let reviews = try store.reviews(ofBook: book, Page())
            #expect(Set(reviews.map(\.reviewText)).count == 10)
            #expect(reviews.allSatisfy { $0.bookId == book })
        }
        #expect(try store.reviews(ofBook: 11, Page()).isEmpty)
        #expect(try store.review(100)?.bookId == 10)
        #expect(try store.review(101) == nil)
    }
}
