/// A book as the catalog has it.
struct Book: Codable, Sendable, Equatable {
    let id: Int64
    let title: String
    let description: String
}

/// A review as the review service has it.
struct Review: Codable, Sendable, Equatable {
    let id: Int64
    let bookId: Int64
    let reviewText: String
}

/// A book with what readers say of it: the answer of the gateway.
struct MergedBook: Encodable, Sendable, Equatable {
    let id: Int64
    let title: String
    let description: String
    let reviews: [Review]
    /// There and true when the reviews are missing although there may be some.
    let reviewsUnavailable: Bool?
    /// Why, for a person.
    let reviewsUnavailableReason: String?

    /// A book with its reviews; nil when the review service has no answer.
    init(_ book: Book, reviews: [Review]?) {
        id = book.id
        title = book.title
        description = book.description
        self.reviews = reviews ?? []
        reviewsUnavailable = reviews == nil ? true : nil
        reviewsUnavailableReason = reviews == nil ? "the review service does not answer now" : nil
    }
}
