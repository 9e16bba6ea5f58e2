internal import FoundationEssentials
internal import OutboundHTTP

/// Reads the token endpoint's answer (RFC 6749 §5.1, §5.2), strictly.
struct TokenResponse: Sendable, Equatable {
    let token: AccessToken
    /// `expires_in`.
    let lifetime: Duration

    private struct Success: Decodable {
        let access_token: String
        let token_type: String
        let expires_in: Double
        let scope: String?
    }

    private struct Failure: Decodable {
        let error: String
        let error_description: String?
    }

    /// A lifetime is believed up to this; more makes no difference to anyone.
    private static let longestLifetime = 366.0 * 24 * 3600

    /// Reads a success.
    /// - Parameter requested: the scopes asked for, which an answer without `scope` grants.
    init(_ body: [UInt8], requested: Scopes) throws(TokenClientError.Reason) {
        guard let success = try? JSONDecoder().decode(Success.self, from: Data(body)) else {
            throw .malformedAnswer("no JSON object with access_token, token_type and a number expires_in")
        }
        guard !success.access_token.isEmpty, success.access_token.utf8.allSatisfy(Self.isTokenCharacter)
        else {
            throw .malformedAnswer("access_token is empty or holds characters that no header may hold")
        }
        guard success.token_type.lowercased() == "bearer" else {
            throw .malformedAnswer("token_type is not Bearer")
        }
        guard success.expires_in >= 0 else { throw .malformedAnswer("expires_in is negative") }
        guard let granted = try? success.scope.map({ try Scopes(value: $0) }) ?? requested else {
            throw .malformedAnswer("scope is not a list of scopes")
        }
        token = AccessToken(value: success.access_token, scopes: granted)
        lifetime = .seconds(min(success.expires_in, Self.longestLifetime))
    }

    /// The error that a refusal stands for.
    static func refusal(_ response: OutboundResponse) -> TokenClientError.Reason {
        let failure = try? JSONDecoder().decode(Failure.self, from: Data(response.body))
        let explanation = failure?.error_description ?? advice(for: response.status) ?? "no explanation"
        return .refused(
            status: response.status, code: printable(failure?.error ?? "without an error code"),
            explanation: printable(explanation) + requestID(response))
    }

    /// Whether it is an error as a token endpoint has them (RFC 6749 §5.2), and so comes from one.
    static func isRefusalOfTokenEndpoint(_ response: OutboundResponse) -> Bool {
        [400, 401, 403].contains(response.status)
            && (try? JSONDecoder().decode(Failure.self, from: Data(response.body))) != nil
    }

    /// What is probably wrong where no endpoint of RFC 6749 answers.
    private static func advice(for status: Int) -> String? {
        switch status {
        case 300..<400: "redirects are not followed: check the URL of the token endpoint"
        case 404, 405:
            "check the URL of the token endpoint: it is the token_endpoint of the issuer's metadata"
        default: nil
        }
    }

    /// By which the server's administrator finds the request in the server's log; empty where the answer names none.
    static func requestID(_ response: OutboundResponse) -> String {
        guard let id = response.fields["x-request-id"], !id.isEmpty else { return "" }
        return " (request id \(LogText.quoted(id, maximum: 64)))"
    }

    /// Visible ASCII and no more than a line, so that the text can be logged.
    private static func printable(_ text: String) -> String {
        String(text.unicodeScalars.prefix(200).map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" })
    }

    /// `b64token` of RFC 6750 §2.1.
    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
        }
    }
}
