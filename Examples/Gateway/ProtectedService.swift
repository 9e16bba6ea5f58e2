internal import ExampleSupport
internal import Foundation
internal import HTTP
internal import TokenClient

/// A service that the gateway calls as a client of its own, with a token for that service alone.
struct ProtectedService: Sendable {
    /// The service gives no usable answer now.
    struct Unavailable: Error, CustomStringConvertible {
        let description: String
    }

    let resource: ResourceID
    let upstream: Upstream
    let tokens: TokenClient

    /// What is at a path, for whoever may read; nil when there is nothing.
    func get<Value: Decodable>(_ path: String, as type: Value.Type = Value.self) async throws -> Value? {
        let response = try await get(path)
        switch response.status {
        case 200: return try JSONDecoder().decode(type, from: Data(response.body))
        case 404: return nil
        default: throw Unavailable(description: "\(resource) answers \(response.status)")
        }
    }

    /// A kept token may have been revoked since: the service says so with 401, and another is obtained, once.
    private func get(_ path: String) async throws -> HTTPResponse {
        let token = try await tokens.token(resource: resource, scopes: ["read"])
        let response = try await send(path, token)
        guard response.status == 401 else { return response }
        log("gateway: \(resource) refuses the token, another is obtained")
        tokens.invalidate(token)
        return try await send(path, tokens.token(resource: resource, scopes: ["read"]))
    }

    private func send(_ path: String, _ token: AccessToken) async throws -> HTTPResponse {
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        return try await upstream.send(
            HTTPRequest(
                method: "GET", path: parts[0], query: parts.count > 1 ? parts[1] : nil,
                fields: [HTTPField("Authorization", token.authorizationHeader)]))
    }
}
