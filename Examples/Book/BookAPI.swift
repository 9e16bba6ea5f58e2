internal import EventLoop
internal import ExampleSupport
internal import HTTP
internal import ResourceGuard
internal import SQLite

/// The catalog's addresses.
struct BookAPI: Sendable {
    let resourceGuard: ResourceGuard
    let books: LoopBound<BookStore>

    /// Answers a request, on the loop.
    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        let metadata = resourceGuard.metadata(scopes: ["read", "write"])
        if request.path == metadata.path { return .json(status: 200, body: metadata.body) }
        return await resourceGuard.admit(request, requiring: ["read"]) { _ in route(request) }
    }

    private func route(_ request: HTTPRequest) -> HTTPResponse {
        guard request.isRead else { return .methodNotAllowed }
        do {
            switch request.segments {
            case ["api", "books"]: return .json(try books.value.books(Page(query: request.query)))
            case let path where path.count == 3 && path.starts(with: ["api", "books"]):
                let id = try identifier(path[2])
                return try books.value.book(id).map { .json($0) } ?? .notFound("there is no book \(id)")
            default: return .notFound("there is nothing here: try /api/books")
            }
        } catch let error as BadParameter {
            return .badRequest(error.description)
        } catch {
            log("book: \(error)")
            return .unavailable("the catalog cannot be read now")
        }
    }
}
