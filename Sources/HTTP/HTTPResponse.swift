/// An answer; the engine adds `Date`, `Content-Length` and, where the connection ends, `Connection`.
public struct HTTPResponse: Sendable {
    /// The status code.
    public var status: Int
    /// The header fields, in order. No name or value holds CR, LF or NUL: the engine refuses to send those.
    public var fields: [HTTPField]
    /// The body; not sent in answer to HEAD.
    public var body: [UInt8]

    /// An answer.
    public init(status: Int, fields: [HTTPField] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// A plain-text answer of one line.
    public static func text(_ status: Int, _ line: String, fields: [HTTPField] = []) -> HTTPResponse {
        HTTPResponse(
            status: status, fields: [HTTPField("Content-Type", "text/plain; charset=utf-8")] + fields,
            body: Array((line + "\n").utf8))
    }
}
