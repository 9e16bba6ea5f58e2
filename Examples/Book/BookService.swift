internal import EventLoop
internal import ExampleSupport

/// The book catalog: resource `RESOURCE_ID_BOOK`.
@main enum BookService {
    static func main() {
        let flags: Set = ["--listen", "--issuer", "--database", "--redis", "--client-id"]
        Service("book", usage: usage, flags: flags).run(defaultListen: "127.0.0.1:8081") { start in
            let store = try BookStore(path: start.flags["--database"] ?? "book.db")
            let api = BookAPI(
                resourceGuard: try start.resourceGuard("RESOURCE_ID_BOOK"),
                books: LoopBound(store, loop: start.loop))
            return api.answer
        }
    }

    private static let usage = """
        Usage: Book [FLAGS]

        The book catalog of the examples: GET /api/books?page=&size= and GET /api/books/{id}, for tokens that
        hold the scope read at RESOURCE_ID_BOOK.

        Flags:
          --listen HOST:PORT   address (127.0.0.1:8081)
          --issuer URL         the authorization server (http://127.0.0.1:8083)
          --database FILE      its own database, made and filled where there is none (book.db)
          --redis URL          ask the shared token store whether a token was revoked; the variable REDIS_URL
                               keeps a password out of the process list
          --client-id ID       without --redis: ask the authorization server, as the client that owns the
                               resource; its secret is in the variable CLIENT_SECRET

        Example:
          Book --redis redis://127.0.0.1:6379
        """
}
