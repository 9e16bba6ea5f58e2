package import HTTP
internal import JOSE

extension Dialogue {
    /// Sends a form to a path.
    /// - Parameters:
    ///   - form: the body as it is sent, to which the credentials' parameters are added.
    ///   - contentType: nil for none.
    package func post(
        _ form: String, to path: String, by credentials: Credentials,
        contentType: String? = "application/x-www-form-urlencoded", more fields: [HTTPField] = []
    ) async throws -> Exchange {
        try await send(
            .form(
                form, to: path, by: credentials, contentType: contentType, more: fields,
                scenario: server.scenario))
    }

    /// Asks for a token by the client-credentials grant, with more parameters.
    package func token(
        _ more: String = "", by credentials: Credentials = .basic("gateway"),
        contentType: String? = "application/x-www-form-urlencoded", more fields: [HTTPField] = []
    ) async throws -> Exchange {
        let form = "grant_type=client_credentials" + (more.isEmpty ? "" : "&\(more)")
        return try await post(
            form, to: "/oauth/token", by: credentials, contentType: contentType, more: fields)
    }

    /// Gets a token that must be had.
    package func issue(_ more: String = "", to client: String = "gateway") async throws -> String {
        let exchange = try await token(more, by: .basic(client))
        guard let token = exchange.response.json?["access_token"]?.string else {
            throw CaseFailure(
                "\(client) gets no token: \(exchange.response.status) \(exchange.response.text)")
        }
        return token
    }

    /// Asks about a token.
    package func introspect(
        _ token: String, by credentials: Credentials = .basic("gateway"), more: String = ""
    ) async throws -> Exchange {
        try await post(
            "token=\(Form.encode(token))\(more)", to: "/oauth/introspect", by: credentials)
    }

    /// Revokes a token.
    package func revoke(
        _ token: String, by credentials: Credentials = .basic("gateway"), more: String = ""
    ) async throws -> Exchange {
        try await post("token=\(Form.encode(token))\(more)", to: "/oauth/revoke", by: credentials)
    }

    /// Gets a document.
    package func get(_ path: String, more fields: [HTTPField] = []) async throws -> Exchange {
        try await send(HTTPRequest(method: "GET", path: path, fields: fields))
    }
}

extension HTTPRequest {
    /// A form, with credentials.
    package static func form(
        _ form: String, to path: String, by credentials: Credentials,
        contentType: String? = "application/x-www-form-urlencoded", more fields: [HTTPField] = [],
        scenario: Scenario
    ) -> HTTPRequest {
        var fields = fields
        if let contentType { fields.append(HTTPField("Content-Type", contentType)) }
        if let header = credentials.header(scenario) { fields.append(HTTPField("Authorization", header)) }
        let body = [form, credentials.parameters(scenario)].compactMap { $0 }.filter { !$0.isEmpty }
        return HTTPRequest(
            method: "POST", path: path, fields: fields, body: Array(body.joined(separator: "&").utf8))
    }

    /// A request for a token by the client-credentials grant.
    package static func token(
        _ more: String = "", by credentials: Credentials, scenario: Scenario
    ) -> HTTPRequest {
        .form(
            "grant_type=client_credentials" + (more.isEmpty ? "" : "&\(more)"), to: "/oauth/token",
            by: credentials, scenario: scenario)
    }
}

/// Why a case cannot go on.
package struct CaseFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
