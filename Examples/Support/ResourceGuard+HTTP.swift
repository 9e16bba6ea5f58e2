public import HTTP
public import ResourceGuard

extension ResourceGuard {
    /// The guard as middleware: calls `handler` for a request whose token lets it in, and answers any other.
    public func admit(
        _ request: HTTPRequest, requiring scopes: Scopes,
        then handler: @Sendable (Access) async -> HTTPResponse
    ) async -> HTTPResponse {
        do throws(Refusal) {
            // All Authorization fields, so that none can hide behind another.
            let access = try await authorize(request.values("authorization"), requiring: scopes)
            return await handler(access)
        } catch {
            log("\(request.method) \(request.path) refused: \(error)")
            return HTTPResponse(
                status: error.status, fields: error.headers.map { HTTPField($0.name, $0.value) },
                body: error.body)
        }
    }
}
