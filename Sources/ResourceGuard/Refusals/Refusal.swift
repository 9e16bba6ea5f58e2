internal import JOSE

/// A request that the guard refuses: the whole answer, and the reason for the log.
///
/// Nothing in the answer comes from the token. The line for the log names a verified token's client and `jti`, and what
/// of it is not in order; of any other token the `iss` at most, if that is another issuer's; where there is none, whether
/// there was a header. What it takes from a token is on one line and shortened, and it never holds the token itself.
public struct Refusal: Error, Sendable, Equatable {
    /// Why.
    public let reason: RefusalReason
    /// `error_description`: what is wrong, for the person at the other end.
    public let explanation: String
    /// More than the client is told, for the log alone; empty where there is no more.
    public let logDetail: String
    /// Whose token was refused; nil where there was none, or its signature was not verified.
    public let clientID: ClientID?
    /// When to come back, in seconds, where the answer is 503.
    public let retryAfter: Int?
    /// The scopes that the request needs, where it lacks one.
    public let requiredScopes: Scopes?
    let challenge: Challenge

    init(
        _ reason: RefusalReason, _ explanation: String, challenge: Challenge, logDetail: String = "",
        clientID: ClientID? = nil, retryAfter: Duration? = nil, requiredScopes: Scopes? = nil
    ) {
        self.reason = reason
        self.explanation = explanation
        self.challenge = challenge
        self.logDetail = logDetail
        self.clientID = clientID
        self.retryAfter = retryAfter.map { max(1, Int(($0 / .seconds(1)).rounded(.up))) }
        self.requiredScopes = requiredScopes
    }

    /// The status of the answer.
    public var status: Int { reason.status }

    /// The header fields of the answer: `WWW-Authenticate` with 400, 401 and 403 (RFC 6750 §3), `Retry-After`
    /// with 503, and what belongs to the body.
    public var headers: [HeaderField] {
        var fields = [
            HeaderField(name: "Content-Type", value: "application/json"),
            HeaderField(name: "Cache-Control", value: "no-store"),
        ]
        if let value = wwwAuthenticate { fields.append(HeaderField(name: "WWW-Authenticate", value: value)) }
        if let retryAfter { fields.append(HeaderField(name: "Retry-After", value: String(retryAfter))) }
        return fields
    }

    /// The `WWW-Authenticate` value; none with 503, where other credentials would not help.
    public var wwwAuthenticate: String? {
        guard status != 503 else { return nil }
        return challenge.value(
            error: reason.errorCode, description: explanation, scope: requiredScopes)
    }

    /// The answer's body: a JSON object with `error`, `error_description` and, where one is lacking, `scope`.
    public var body: [UInt8] {
        var json = Array("{".utf8)
        if let code = reason.errorCode { json += Array("\"error\":\"\(code)\",".utf8) }
        json += Array("\"error_description\":".utf8)
        JSON.quote(explanation, appendingTo: &json)
        if let requiredScopes {
            json += Array(",\"scope\":".utf8)
            JSON.quote(requiredScopes.description, appendingTo: &json)
        }
        json.append(UInt8(ascii: "}"))
        return json
    }
}

extension Refusal: CustomStringConvertible {
    /// One line for the log.
    public var description: String {
        let line = "\(status) \(reason.rawValue): \(explanation)"
        return logDetail.isEmpty ? line : "\(line) (\(logDetail))"
    }
}
