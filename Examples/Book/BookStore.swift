internal import ExampleSupport
internal import SQLite

/// The catalog's own database, confined to the loop.
///
/// Its reads block the loop. For a small file on the local disk that is microseconds; a service whose queries
/// take longer gives them a thread of their own.
final class BookStore {
    private let connection: Connection

    /// Opens the database; a new one is filled with ten books.
    init(path: String) throws(SQLiteError) {
        connection = try Connection(path: path, mode: .create)
        try connection.useWriteAheadLog(.normal)
        try connection.transaction { () throws(SQLiteError) in try fill() }
    }

    private func fill() throws(SQLiteError) {
        try connection.run(
            """
            CREATE TABLE IF NOT EXISTS book (
                id INTEGER PRIMARY KEY, title TEXT NOT NULL, description TEXT NOT NULL) STRICT
            """)
        guard try books(Page()).isEmpty else { return }
        for book in seed {
            try connection.run(
                "INSERT INTO book (id, title, description) VALUES (?, ?, ?)",
                [.integer(book.id), .text(book.title), .text(book.description)])
        }
    }

    /// The books of one page, by id.
    func books(_ page: Page) throws(SQLiteError) -> [Book] {
        try connection.rows(
            "SELECT id, title, description FROM book ORDER BY id LIMIT ? OFFSET ?",
            [.integer(page.size), .integer(page.offset)], body: Self.book)
    }

    /// One book; nil when there is none of that id.
    func book(_ id: Int64) throws(SQLiteError) -> Book? {
        try connection.first(
            "SELECT id, title, description FROM book WHERE id = ?", [.integer(id)], body: Self.book)
    }

    private static func book(_ row: Statement) -> Book {
        Book(id: row.integer(0), title: row.text(1), description: row.text(2))
    }
}
