import TestSupport

/// A request that a `LocalServer` received.
public struct LocalRequest: Sendable {
    /// The method.
    public let method: String
    /// Path and query.
    public let target: String
    /// Fields by lower-case name, in order of arrival.
    public let fields: [String: [String]]
    /// The body as text.
    public let body: String
}

/// What a `LocalServer` does with a request.
public enum LocalReply: Sendable {
    /// A whole answer, then the connection is closed.
    case answer(status: Int, fields: [String], body: String)
    /// These bytes just as they are, then the connection is closed.
    case raw(String)
    /// A whole answer of status 200; the connection stays open for another request.
    case kept(String)
    /// Status 200 and then a byte every few milliseconds, until the client ends the connection.
    case trickle
    /// Nothing: the connection stays open until the client ends it.
    case silence

    /// A JSON answer.
    public static func json(_ body: String, status: Int = 200, fields: [String] = []) -> LocalReply {
        .answer(status: status, fields: ["Content-Type: application/json"] + fields, body: body)
    }
}

extension LocalReply: CustomStringConvertible {
    /// As a test's argument it is shown by how it begins, so that reports stay readable.
    public var description: String {
        switch self {
        case .answer(let status, let fields, let body): "\(status) \(fields) \(LongText(body))"
        case .raw(let text): "raw \(LongText(text))"
        case .kept(let body): "kept \(LongText(body))"
        case .trickle: "trickle"
        case .silence: "silence"
        }
    }
}
