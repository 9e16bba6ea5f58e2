internal import ExampleSupport
internal import SQLite

/// The review service's own database, confined to the loop.
///
/// Its reads block the loop, as those of the catalog do.
final class ReviewStore {
    private let connection: Connection

    /// Opens the database; a new one is filled with ten reviews for each of ten books.
    init(path: String) throws(SQLiteError) {
        connection = try Connection(path: path, mode: .create)
        try connection.useWriteAheadLog(.normal)
        try connection.transaction { () throws(SQLiteError) in try fill() }
    }

    private func fill() throws(SQLiteError) {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS review (
                id INTEGER PRIMARY KEY, book_id INTEGER NOT NULL, text TEXT NOT NULL) STRICT;
            CREATE INDEX IF NOT EXISTS review_by_book ON review (book_id);
            """)
        guard try reviews(Page()).isEmpty else { return }
        for review in seed {
            try connection.run(
                "INSERT INTO review (id, book_id, text) VALUES (?, ?, ?)",
                [.integer(review.id), .integer(review.bookId), .text(review.reviewText)])
        }
    }

    /// The reviews of one page, by id.
    func reviews(_ page: Page) throws(SQLiteError) -> [Review] {
        try connection.rows(
            "SELECT id, book_id, text FROM review ORDER BY id LIMIT ? OFFSET ?",
            [.integer(page.size), .integer(page.offset)], body: Self.review)
    }

    /// One review; nil when there is none of that id.
    func review(_ id: Int64) throws(SQLiteError) -> Review? {
        try connection.first(
            "SELECT id, book_id, text FROM review WHERE id = ?", [.integer(id)], body: Self.review)
    }

    /// The reviews of a book, one page of them; none for a book that nobody reviewed.
    func reviews(ofBook bookId: Int64, _ page: Page) throws(SQLiteError) -> [Review] {
        try connection.rows(
            "SELECT id, book_id, text FROM review WHERE book_id = ? ORDER BY id LIMIT ? OFFSET ?",
            [.integer(bookId), .integer(page.size), .integer(page.offset)], body: Self.review)
    }

    private static func review(_ row: Statement) -> Review {
        Review(id: row.integer(0), bookId: row.integer(1), reviewText: row.text(2))
    }
}
