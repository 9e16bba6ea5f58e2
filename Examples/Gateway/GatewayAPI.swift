internal import ExampleSupport
internal import HTTP
internal import ResourceGuard

/// The gateway's addresses.
struct GatewayAPI: Sendable {
    let resourceGuard: ResourceGuard
    let catalog: ProtectedService
    let reviews: ProtectedService
    let passThrough: PassThrough

    /// Answers a request, on the loop.
    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        let metadata = resourceGuard.metadata(scopes: ["read", "write"])
        if request.path == metadata.path { return .json(status: 200, body: metadata.body) }
        if PassThrough.takes(request.path) { return await passThrough.answer(request) }
        return await resourceGuard.admit(request, requiring: ["read"]) { _ in await route(request) }
    }

    private func route(_ request: HTTPRequest) async -> HTTPResponse {
        guard request.isRead else { return .methodNotAllowed }
        do {
            switch request.segments {
            case ["api", "books"]: return try await books(Page(query: request.query))
            case let path where path.count == 3 && path.starts(with: ["api", "books"]):
                return try await book(identifier(path[2]))
            default: return .notFound("there is nothing here: try /api/books")
            }
        } catch let error as BadParameter {
            return .badRequest(error.description)
        } catch {
            log("gateway: no book: \(error)")
            return .unavailable("the book catalog does not answer now")
        }
    }

    private func books(_ page: Page) async throws -> HTTPResponse {
        let books: [Book]? = try await catalog.get("/api/books?page=\(page.number)&size=\(page.size)")
        return .json(books ?? [])
    }

    /// Book and reviews are fetched at the same time. Without the book there is no answer; without the reviews
    /// there is one that says so.
    private func book(_ id: Int64) async throws -> HTTPResponse {
        async let reviews = reviewsIfAvailable(ofBook: id)
        let book: Book? = try await catalog.get("/api/books/\(id)")
        guard let book else { return .notFound("there is no book \(id)") }
        return .json(MergedBook(book, reviews: await reviews))
    }

    private func reviewsIfAvailable(ofBook id: Int64) async -> [Review]? {
        do {
            return try await reviews.get("/api/book/reviews/\(id)")
        } catch {
            if !Task.isCancelled { log("gateway: no reviews: \(error)") }
            return nil
        }
    }
}
