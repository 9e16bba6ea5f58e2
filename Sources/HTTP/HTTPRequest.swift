/// A request whose header block and body are in and were found well-formed.
///
/// A value; its parts are in one object, so that to hand it on is to copy one reference.
public struct HTTPRequest: Sendable {
    private var parts: Parts

    /// `@unchecked Sendable` is sound: an object that more than one value refers to is never changed.
    private final class Parts: @unchecked Sendable {
        var method: String
        var path: String
        var query: String?
        var fields: [HTTPField]
        var body: [UInt8]
        var remoteAddress: String

        init(
            method: String, path: String, query: String?, fields: [HTTPField], body: [UInt8],
            remoteAddress: String
        ) {
            self.method = method
            self.path = path
            self.query = query
            self.fields = fields
            self.body = body
            self.remoteAddress = remoteAddress
        }
    }

    /// A request with all its parts, as tests make it without a socket.
    public init(
        method: String, path: String, query: String? = nil, fields: [HTTPField] = [], body: [UInt8] = [],
        remoteAddress: String = "127.0.0.1"
    ) {
        parts = Parts(
            method: method, path: path, query: query, fields: fields, body: body, remoteAddress: remoteAddress
        )
    }

    /// The method, a token (RFC 9110 §9); case-sensitive.
    public var method: String {
        get { parts.method }
        set { changed().method = newValue }
    }

    /// The path as sent, neither decoded nor normalized.
    public var path: String {
        get { parts.path }
        set { changed().path = newValue }
    }

    /// What followed the first `?`, as sent.
    public var query: String? {
        get { parts.query }
        set { changed().query = newValue }
    }

    /// The header fields in the order in which they came.
    public var fields: [HTTPField] {
        get { parts.fields }
        set { changed().fields = newValue }
    }

    /// The body.
    public var body: [UInt8] {
        get { parts.body }
        set { changed().body = newValue }
    }

    /// The peer's address, without port.
    public var remoteAddress: String {
        get { parts.remoteAddress }
        set { changed().remoteAddress = newValue }
    }

    /// The parts of this value alone.
    private mutating func changed() -> Parts {
        if !isKnownUniquelyReferenced(&parts) {
            parts = Parts(
                method: method, path: path, query: query, fields: fields, body: body,
                remoteAddress: remoteAddress)
        }
        return parts
    }
}

extension HTTPRequest {
    /// The values of every field of that name, given in lower case.
    public func values(_ name: String) -> [String] {
        fields.lazy.filter { $0.isNamed(name) }.map(\.value)
    }

    /// Whether there is more than one field of that name, given in lower case.
    public func repeats(_ name: String) -> Bool {
        guard let first = index(of: name, from: 0) else { return false }
        return index(of: name, from: first + 1) != nil
    }

    /// The first value of that name, given in lower case.
    public func value(_ name: String) -> String? {
        index(of: name, from: 0).map { fields[$0].value }
    }

    /// Where the next field of that name is. A span lends its elements, where an array's iterator copies each.
    private func index(of name: String, from start: Int) -> Int? {
        let all = fields
        let fields = all.span
        for index in start..<fields.count where fields[index].isNamed(name) { return index }
        return nil
    }
}
