import HTTP
import JOSE
import OAuth

/// The header fields that several endpoints send.
enum CommonFields {
    /// Nothing of a token or about one is kept by a cache (RFC 6749 §5.1).
    static let uncached = [HTTPField("Cache-Control", "no-store"), HTTPField("Pragma", "no-cache")]
    /// A JSON answer that no cache keeps.
    static let uncachedJSON = [HTTPField("Content-Type", "application/json")] + uncached
    /// The realm of the challenge to clients.
    static let basicChallenge = HTTPField("WWW-Authenticate", "Basic realm=\"oauth\", charset=\"UTF-8\"")
}

extension OAuthError {
    /// The header fields of the answer.
    var fields: [HTTPField] {
        var fields = CommonFields.uncachedJSON
        if let retryAfter { fields.append(HTTPField("Retry-After", String(retryAfter))) }
        if challengesBasic { fields.append(CommonFields.basicChallenge) }
        return fields
    }

    /// The body: `error` and `error_description`; both are constants of this program, which hold nothing to escape.
    var body: [UInt8] {
        Array("{\"error\":\"\(code.rawValue)\",\"error_description\":\"\(description)\"}".utf8)
    }
}
