/// One request to another server.
package struct OutboundRequest: Sendable {
    /// The methods in use.
    package enum Method: String, Sendable { case get = "GET", post = "POST" }

    /// The method.
    package let method: Method
    /// Where to.
    package let url: EndpointURL
    /// Header fields in order; names occur once.
    package var fields: [(name: String, value: String)]
    /// The body, for POST.
    package let body: [UInt8]

    /// A request for a JSON document.
    package static func get(_ url: EndpointURL) -> OutboundRequest {
        OutboundRequest(method: .get, url: url, fields: [("Accept", "application/json")], body: [])
    }

    /// A form that is answered with JSON.
    package static func post(_ url: EndpointURL, form: [(name: String, value: String)]) -> OutboundRequest {
        OutboundRequest(
            method: .post, url: url,
            fields: [
                ("Accept", "application/json"), ("Content-Type", "application/x-www-form-urlencoded"),
            ],
            body: FormEncoding.encode(form))
    }
}

/// A whole answer, whatever its status.
package struct OutboundResponse: Sendable {
    /// The status.
    package let status: Int
    /// Header fields by lower-case name.
    package let fields: [String: String]
    /// The body, no longer than the bound of the `OutboundHTTP`.
    package let body: [UInt8]

    /// An answer.
    package init(status: Int, fields: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// `Retry-After` in seconds (RFC 9110 §10.2.3); its date form counts as absent.
    package var retryAfter: Duration? {
        fields["retry-after"].flatMap { DeltaSeconds.parse($0) }.map { .seconds($0) }
    }
}

/// Why there is no answer. Texts name the trouble, never a credential.
package enum OutboundError: Error, Sendable, Equatable, CustomStringConvertible {
    /// No connection, or it broke.
    case unreachable(String)
    /// The server's certificate is not trusted. What to do about it is in the text; another attempt would not help.
    case untrusted(String)
    /// The trusted certificates cannot be read, or are not in order: nothing was sent. Which file it is and what is wrong
    /// with it is in the text; whoever writes the file may be about to end.
    case unusableCertificates(String)
    /// No whole answer within the deadline.
    case timedOut
    /// The header or the body is longer than its bound.
    case tooLarge
    /// Too many requests wait already.
    case overloaded
    /// The task that asked was cancelled.
    case cancelled

    /// What happened, for the log.
    package var description: String {
        switch self {
        case .unreachable(let reason): "no answer: \(reason)"
        case .untrusted(let reason), .unusableCertificates(let reason): reason
        case .timedOut: "no answer within the deadline"
        case .tooLarge: "the answer is too long"
        case .overloaded: "too many requests wait"
        case .cancelled: "cancelled"
        }
    }
}
