/// A request.
package struct TransferRequest: Sendable {
    /// The method, such as `GET`.
    package let method: String
    /// A http or https URL.
    package let url: String
    /// Header fields in order.
    package let fields: [TransferField]
    /// The body; nil for none, which is another thing than an empty one.
    package let body: [UInt8]?
    /// The longest body of an answer that is taken.
    package let maximumBytes: Int
    /// Whether a proxy that the environment names is left alone.
    package let avoidsProxy: Bool
    /// The certificates, in PEM, that vouch for the server, and no others; nil for the system's.
    package let certificates: [UInt8]?

    /// A request.
    package init(
        method: String, url: String, fields: [TransferField], body: [UInt8]?, maximumBytes: Int,
        avoidsProxy: Bool, certificates: [UInt8]? = nil
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.maximumBytes = maximumBytes
        self.avoidsProxy = avoidsProxy
        self.certificates = certificates
    }

    /// Whether it can be sent as it is: the method is a token, and each field is valid.
    var isValid: Bool { method.isToken && fields.allSatisfy(\.isValid) }
}

/// A header field.
package struct TransferField: Sendable, Equatable {
    /// The name as written.
    package let name: String
    /// The value, without white space around it.
    package var value: String

    /// A field.
    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Whether it can be sent and ends where it should: the name is a token, the value is visible text, space and tab
    /// (RFC 9110 §5.5, §5.6.2).
    var isValid: Bool {
        name.isToken && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
}

extension String {
    fileprivate var isToken: Bool {
        !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}

/// A whole answer.
package struct TransferAnswer: Sendable {
    /// The status.
    package let status: Int
    /// Header fields in order of arrival; names may repeat.
    package let fields: [TransferField]
    /// The body.
    package let body: [UInt8]
}

/// Why there is no answer.
package enum TransferError: Error, Sendable, Equatable {
    /// The header or the body is longer than its bound.
    case tooLarge
    /// No connection, or what came is no answer. The text is one line and holds no credential.
    case failed(String)
    /// The server did not take part in TLS. The text is as above.
    case noTLS(String)
    /// There was a connection, and no answer of HTTP/1 or a broken one. The text is as above.
    case noHTTP(String)
    /// No trusted certificate vouches for the server. The text is as above.
    case untrustedServer(String)
    /// The trusted certificates cannot be read. The text is as above.
    case unreadableCertificates(String)
    /// No whole answer within the deadline.
    case timedOut
    /// Too many requests wait already.
    case overloaded
    /// The task that asked was cancelled.
    case cancelled
}
