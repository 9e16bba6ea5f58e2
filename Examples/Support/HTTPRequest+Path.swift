public import HTTP

extension HTTPRequest {
    /// The parts of the path between its slashes, as sent.
    public var segments: [Substring] {
        Array(path.split(separator: "/", omittingEmptySubsequences: false).dropFirst())
    }

    /// Whether the request only reads.
    public var isRead: Bool { method == "GET" || method == "HEAD" }
}
