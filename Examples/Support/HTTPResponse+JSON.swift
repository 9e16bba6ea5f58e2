internal import Foundation
public import HTTP

extension HTTPResponse {
    /// A value as JSON.
    public static func json(_ value: some Encodable, fields: [HTTPField] = []) -> HTTPResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let body = try? encoder.encode(value) else {
            return .unavailable("the answer cannot be written")
        }
        return json(status: 200, body: [UInt8](body), fields: fields)
    }

    /// A document that is JSON already.
    public static func json(status: Int, body: [UInt8], fields: [HTTPField] = []) -> HTTPResponse {
        HTTPResponse(
            status: status, fields: [HTTPField("Content-Type", "application/json")] + fields, body: body)
    }

    /// An error in the form that OAuth has: `error` for a program, `error_description` for a person.
    public static func error(
        _ status: Int, _ code: String, _ description: String, fields: [HTTPField] = []
    ) -> HTTPResponse {
        var response = json(["error": code, "error_description": description], fields: fields)
        response.status = status
        return response
    }

    /// 400: the request must be mended.
    public static func badRequest(_ description: String) -> HTTPResponse {
        error(400, "invalid_request", description)
    }

    /// 404.
    public static func notFound(_ description: String) -> HTTPResponse {
        error(404, "not_found", description)
    }

    /// 405: the services of the examples are read only.
    public static let methodNotAllowed = error(
        405, "method_not_allowed", "only GET is allowed here", fields: [HTTPField("Allow", "GET, HEAD")])

    /// 503: the same request may succeed soon.
    public static func unavailable(_ description: String, retryAfter seconds: Int = 5) -> HTTPResponse {
        error(
            503, "temporarily_unavailable", description, fields: [HTTPField("Retry-After", String(seconds))])
    }
}
