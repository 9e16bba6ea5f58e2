/// A request whose header block and body are in and were found well-formed.
public struct HTTPRequest: Sendable {
    /// The method, a token (RFC 9110 §9); case-sensitive.
    public var method: String
    /// The path as sent, neither decoded nor normalized.
    public var path: String
    /// What followed the first `?`, as sent.
    public var query: String?
    /// The header fields in the order in which they came.
    public var fields: [HTTPField]
    /// The body.
    public var body: [UInt8]
    /// The peer's address, without port.
    public var remoteAddress: String

    /// A request with all its parts, as tests make it without a socket.
    public init(
        method: String, path: String, query: String? = nil, fields: [HTTPField] = [], body: [UInt8] = [],
        remoteAddress: String = "127.0.0.1"
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.fields = fields
        self.body = body
        self.remoteAddress = remoteAddress
    }

    /// The values of every field of that name, given in lower case.
    public func values(_ name: String) -> [String] {
        fields.lazy.filter { $0.isNamed(name) }.map(\.value)
    }

    /// Whether there is more than one field of that name, given in lower case.
    public func repeats(_ name: String) -> Bool {
        guard let first = fields.firstIndex(where: { $0.isNamed(name) }) else { return false }
        return fields[(first + 1)...].contains { $0.isNamed(name) }
    }

    /// The first value of that name, given in lower case.
    public func value(_ name: String) -> String? {
        fields.first { $0.isNamed(name) }?.value
    }
}
