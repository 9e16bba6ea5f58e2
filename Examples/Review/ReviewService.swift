internal import EventLoop
internal import ExampleSupport

/// The review service: resource `RESOURCE_ID_REVIEW`.
@main enum ReviewService {
    static func main() {
        let flags: Set = ["--listen", "--issuer", "--database", "--redis", "--client-id"]
        Service("review", usage: usage, flags: flags).run(defaultListen: "127.0.0.1:8082") { start in
            let store = try ReviewStore(path: start.flags["--database"] ?? "review.db")
            let api = ReviewAPI(
                resourceGuard: try start.resourceGuard("RESOURCE_ID_REVIEW"),
                reviews: LoopBound(store, loop: start.loop))
            return api.answer
        }
    }

    private static let usage = """
        Usage: Review [FLAGS]

        The review service of the examples: GET /api/reviews?page=&size=, GET /api/reviews/{id} and
        GET /api/book/reviews/{bookId}, for tokens that hold the scope read at RESOURCE_ID_REVIEW.

        Flags:
          --listen HOST:PORT   address (127.0.0.1:8082)
          --issuer URL         the authorization server (http://127.0.0.1:8083)
          --database FILE      its own database, made and filled where there is none (review.db)
          --redis URL          ask the shared token store whether a token was revoked; the variable REDIS_URL
                               keeps a password out of the process list
          --client-id ID       without --redis: ask the authorization server, as the client that owns the
                               resource; its secret is in the variable CLIENT_SECRET

        Example:
          Review --redis redis://127.0.0.1:6379
        """
}
