import HTTP
import JOSE
import OAuth

/// The parameters of a form body, each at most once but for `resource` (RFC 6749 §3.2, RFC 8707 §2).
struct FormParameters {
    /// More than any request of these endpoints has.
    static let maximumCount = 128

    /// In the order in which they came.
    private let pairs: [Pair]

    private struct Pair {
        let name: String
        let value: String
    }

    /// Reads a body.
    /// - Throws: `invalid_request` for a malformed encoding, a repeated parameter or too many of them.
    init(parsing body: [UInt8]) throws(OAuthError) {
        var pairs: [Pair] = []
        pairs.reserveCapacity(4)
        let text = body.span
        var start = 0
        while start < text.count {
            var end = start
            while end < text.count, text[end] != UInt8(ascii: "&") { end += 1 }
            let pair = try Self.decode(text.extracting(start..<end))
            start = end + 1
            guard !pair.name.isEmpty else { continue }
            guard pair.name == "resource" || Self.index(of: pair.name, in: pairs) == nil else {
                throw Self.repeated(pair.name)
            }
            guard pairs.count < Self.maximumCount else {
                throw .invalidRequest("there are too many parameters")
            }
            pairs.append(pair)
        }
        self.pairs = pairs
    }

    /// The names that are told; with `resource`, all that the endpoints know.
    private static let knownNames = [
        "grant_type", "scope", "audience", "client_id", "client_secret", "client_assertion",
        "client_assertion_type", "token", "token_type_hint",
    ]

    /// Another name may be anything, a secret without its name too, and the text is logged.
    private static func repeated(_ name: String) -> OAuthError {
        let known = knownNames.first { $0.isExactly(name) }
        let parameter = known.map { "the parameter \($0)" } ?? "a parameter that is not known here"
        return .invalidRequest("\(parameter) is given twice")
    }

    /// Reads the body of a request that must be a form.
    /// - Throws: `invalid_request` also for another content type, or parameters in the URL.
    init(of request: HTTPRequest) throws(OAuthError) {
        guard request.query == nil else {
            throw .invalidRequest("send parameters in the body: those in a URL are never read")
        }
        guard let type = request.value("content-type"), !request.repeats("content-type"), Self.isForm(type)
        else {
            throw .invalidRequest("the content type must be application/x-www-form-urlencoded")
        }
        try self.init(parsing: request.body)
    }

    /// The value of a parameter; one without value counts as absent (RFC 6749 §3.2).
    subscript(name: String) -> String? {
        guard let index = Self.index(of: name, in: pairs), !pairs[index].value.isEmpty else { return nil }
        return pairs[index].value
    }

    /// Where a parameter is. A span lends its elements, where an array's iterator copies each.
    private static func index(of name: String, in pairs: [Pair]) -> Int? {
        let pairs = pairs.span
        for index in pairs.indices where pairs[index].name.isExactly(name) { return index }
        return nil
    }

    /// Every value of a parameter that may be repeated.
    func values(_ name: String) -> [String] {
        pairs.lazy.filter { $0.name.isExactly(name) && !$0.value.isEmpty }.map(\.value)
    }

    private static func decode(_ pair: Span<UInt8>) throws(OAuthError) -> Pair {
        var end = 0
        while end < pair.count, pair[end] != UInt8(ascii: "=") { end += 1 }
        guard let name = FormEncoding.decode(pair.extracting(..<end)),
            let value = FormEncoding.decode(pair.extracting(min(end + 1, pair.count)...))
        else {
            throw .invalidRequest(
                "the form body is malformed: check its percent-encoding, and that it is UTF-8")
        }
        return Pair(name: name, value: value)
    }

    private static let mediaType = "application/x-www-form-urlencoded"

    /// Whether a content type is a form in UTF-8; media types have no case (RFC 9110 §8.3).
    private static func isForm(_ type: String) -> Bool {
        if type == mediaType { return true }
        let parts = type.split(separator: ";", omittingEmptySubsequences: false).map(trimmedLowercase)
        return parts[0] == mediaType
            && parts.dropFirst().allSatisfy { ["", "charset=utf-8", "charset=\"utf-8\""].contains($0) }
    }

    private static func trimmedLowercase(_ text: Substring) -> String {
        var text = text.lowercased()[...]
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}
