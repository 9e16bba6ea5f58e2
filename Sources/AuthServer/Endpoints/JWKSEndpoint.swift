import HTTP

/// `GET /.well-known/jwks.json` (RFC 7517 §5): the keys that tokens are verified with.
enum JWKSEndpoint {
    /// Answers a request; with `If-None-Match`, 304 where the caller has the present set (RFC 9110 §13.1.2).
    static func respond(to request: HTTPRequest, worker: Worker) -> Answer {
        let set = worker.keys.publishedSet(at: worker.clock())
        let fields = [
            HTTPField("Content-Type", "application/jwk-set+json"),
            HTTPField("Cache-Control", "public, max-age=\(worker.keys.maxAge)"),
            HTTPField("ETag", set.entityTag),
        ]
        guard !isCurrent(set.entityTag, request.values("if-none-match")) else {
            return Answer(HTTPResponse(status: 304, fields: fields), outcome: "unchanged")
        }
        return Answer(HTTPResponse(status: 200, fields: fields, body: set.body), outcome: "ok")
    }

    private static func isCurrent(_ tag: String, _ values: [String]) -> Bool {
        values.flatMap { $0.split(separator: ",") }.contains { candidate in
            var candidate = candidate.drop { $0 == " " }
            if candidate.hasPrefix("W/") { candidate = candidate.dropFirst(2) }
            let text = candidate.split(separator: " ").first ?? ""
            return text == "*" || text == tag
        }
    }
}
