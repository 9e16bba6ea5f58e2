/// What a reader says of a book.
struct Review: Codable, Sendable, Equatable {
    let id: Int64
    let bookId: Int64
    let reviewText: String
}
