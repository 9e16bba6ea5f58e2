internal import ExampleSupport
internal import HTTP

/// Hands the requests for the authorization server on to it and its answers back, so that an app sees one address.
struct PassThrough: Sendable {
    let authorizationServer: Upstream

    private static let requestFields = ["authorization", "content-type", "accept", "if-none-match"]
    private static let responseFields: Set = [
        "content-type", "cache-control", "pragma", "etag", "www-authenticate", "retry-after", "allow",
        "x-request-id",
    ]

    /// Whether a path is the authorization server's. Plain characters only, and no dot segments: what is checked
    /// here must be what is asked for there.
    static func takes(_ path: String) -> Bool {
        guard path.hasPrefix("/oauth/") || path.hasPrefix("/.well-known/"),
            path.utf8.allSatisfy({ isPlain($0) })
        else { return false }
        return !path.split(separator: "/").contains { $0 == "." || $0 == ".." }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }

    /// Asks the authorization server.
    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        var passed = request
        passed.fields = request.fields.filter { Self.requestFields.contains($0.name.lowercased()) }
        // The server counts failed attempts by address: it must see the app's, not the gateway's.
        passed.fields.append(HTTPField("X-Forwarded-For", request.remoteAddress))
        do {
            var response = try await authorizationServer.send(passed)
            response.fields.removeAll { !Self.responseFields.contains($0.name.lowercased()) }
            return response
        } catch .badTarget {
            return .badRequest("the query holds characters that no URL has")
        } catch {
            log("gateway: the authorization server does not answer: \(error)")
            var response = HTTPResponse.unavailable("the authorization server does not answer now")
            response.fields.append(HTTPField("Cache-Control", "no-store"))
            return response
        }
    }
}
