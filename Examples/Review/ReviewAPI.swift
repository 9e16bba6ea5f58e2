internal import EventLoop
internal import ExampleSupport
internal import HTTP
internal import ResourceGuard
internal import SQLite

/// The review service's addresses.
struct ReviewAPI: Sendable {
    let resourceGuard: ResourceGuard
    let reviews: LoopBound<ReviewStore>

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
            case ["api", "reviews"]: return .json(try reviews.value.reviews(Page(query: request.query)))
            case let path where path.count == 3 && path.starts(with: ["api", "reviews"]):
                let id = try identifier(path[2])
                return try reviews.value.review(id).map { .json($0) } ?? .notFound("there is no review \(id)")
            case let path where path.count == 4 && path.starts(with: ["api", "book", "reviews"]):
                let page = try Page(query: request.query)
                return .json(try reviews.value.reviews(ofBook: identifier(path[3]), page))
            default: return .notFound("there is nothing here: try /api/reviews")
            }
        } catch let error as BadParameter {
            return .badRequest(error.description)
        } catch {
            log("review: \(error)")
            return .unavailable("the reviews cannot be read now")
        }
    }
}
