internal import Foundation
internal import HTTP

/// How a request authenticates its client.
package enum Credentials: Sendable {
    /// HTTP Basic as RFC 6749 §2.3.1 has it: both parts form-encoded. The secret is the scenario's where nil.
    case basic(String, secret: String? = nil)
    /// HTTP Basic with these bytes in base64.
    case raw([UInt8])
    /// In the form body.
    case post(String, secret: String? = nil)
    /// An Authorization header as it is.
    case header(String)
    /// Not at all.
    case none

    /// HTTP Basic with a text in base64, not form-encoded.
    static func raw(_ text: String) -> Credentials { .raw(Array(text.utf8)) }

    /// The value of the Authorization header; nil where there is none.
    package func header(_ scenario: Scenario) -> String? {
        switch self {
        case .basic(let id, let secret):
            Self.basic("\(Form.encode(id)):\(Form.encode(secret ?? scenario.secret(of: id)))".utf8)
        case .raw(let bytes): Self.basic(bytes)
        case .header(let value): value
        case .post, .none: nil
        }
    }

    /// The parameters of the form body.
    package func parameters(_ scenario: Scenario) -> String? {
        guard case .post(let id, let secret) = self else { return nil }
        return Form.of([("client_id", id), ("client_secret", secret ?? scenario.secret(of: id))])
    }

    private static func basic(_ bytes: some Sequence<UInt8>) -> String {
        "Basic " + Data(bytes).base64EncodedString()
    }
}

/// Form encoding (RFC 6749 appendix B), strict.
package enum Form {
    /// A body or query of these parameters.
    package static func of(_ parameters: [(String, String)]) -> String {
        parameters.map { "\(encode($0))=\(encode($1))" }.joined(separator: "&")
    }

    /// One name or value.
    package static func encode(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "*"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            case 0x20: encoded += "+"
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return encoded
    }
}
