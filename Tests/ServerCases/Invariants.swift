package import HTTP
package import JOSE

/// What holds of every answer, whatever was asked.
enum Invariants {
    private static let errors: Set<String> = [
        "invalid_request", "invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope",
        "invalid_target", "unsupported_token_type", "temporarily_unavailable",
    ]

    /// What is wrong with an answer; empty for nothing.
    static func problems(
        _ request: HTTPRequest, _ response: HTTPResponse, secrets: [String]
    ) -> [String] {
        var problems = fieldProblems(request, response) + statusProblems(request, response)
        let text = String(decoding: response.body, as: UTF8.self)
        if text.contains("refresh_token") {
            problems.append("there is a refresh token (RFC 6749 section 4.4.3)")
        }
        let fields = response.fields.map(\.value).joined(separator: "\n")
        // Short secrets occur in any text.
        for secret in secrets where secret.utf8.count >= 16 && (text + fields).contains(secret) {
            problems.append("the answer holds a secret")
        }
        return problems + errorProblems(response)
    }

    /// Nothing of the endpoints that take secrets is kept (RFC 6749 §5.1), errors included.
    private static func fieldProblems(_ request: HTTPRequest, _ response: HTTPResponse) -> [String] {
        guard ["/oauth/token", "/oauth/introspect", "/oauth/revoke"].contains(request.path) else { return [] }
        var problems: [String] = []
        if response.value("cache-control") != "no-store" { problems.append("no Cache-Control: no-store") }
        if response.value("pragma") != "no-cache" { problems.append("no Pragma: no-cache") }
        if response.value("etag") != nil { problems.append("there is an ETag") }
        if !response.body.isEmpty, response.value("content-type") != "application/json" {
            problems.append("the content type is not application/json")
        }
        return problems
    }

    private static func statusProblems(_ request: HTTPRequest, _ response: HTTPResponse) -> [String] {
        var problems: [String] = []
        switch response.status {
        case 401:
            if request.value("authorization") != nil, response.value("www-authenticate") == nil {
                problems.append("401 to an Authorization header without WWW-Authenticate")
            }
        case 405:
            if response.value("allow") == nil { problems.append("405 without Allow") }
        case 429, 503:
            if Int(response.value("retry-after") ?? "") == nil {
                problems.append("\(response.status) without Retry-After")
            }
        case 500...: problems.append("status \(response.status)")
        default: break
        }
        return problems
    }

    /// An error answer is a JSON object of RFC 6749 §5.2, whose description has only the characters allowed there.
    private static func errorProblems(_ response: HTTPResponse) -> [String] {
        guard response.status >= 400, response.value("content-type") == "application/json",
            !response.body.isEmpty
        else { return [] }
        guard let object = try? JSON.parse(response.body).object else {
            return ["the body is no JSON object"]
        }
        // What health checks answer is no error of RFC 6749.
        guard object["status"] == nil else { return [] }
        var problems: [String] = []
        if !errors.contains(object["error"]?.string ?? "") { problems.append("error is none of RFC 6749") }
        let description = object["error_description"]?.string ?? ""
        if description.isEmpty || !description.utf8.allSatisfy(isDescriptionByte) {
            problems.append("error_description is empty or has a character that it may not have")
        }
        return problems
    }

    private static func isDescriptionByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20...0x21, 0x23...0x5B, 0x5D...0x7E: true
        default: false
        }
    }
}

extension HTTPResponse {
    /// The first value of a header field, whose name is given in lower case.
    package func value(_ name: String) -> String? {
        fields.first { $0.name.lowercased() == name }?.value
    }

    /// The values of all header fields of a name given in lower case.
    package func values(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name }.map(\.value)
    }

    /// The body as text.
    package var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as a JSON object; nil where it is none.
    package var json: JSONObject? { try? JSON.parse(body).object }
}
