public import OpenSSLCrypto

/// A JWS in compact serialization (RFC 7515 §7.1), read but not verified: believe nothing of it before `verify`.
public struct CompactJWS: Sendable {
    /// The header.
    public let header: JWSHeader
    /// The payload as bytes; may be empty.
    public let payload: [UInt8]
    private let signature: [UInt8]
    private let token: [UInt8]
    private let headerByteCount: Int
    /// How much of the token is signed: the first two parts with the dot between them.
    private let signedByteCount: Int

    /// How many bytes a token has at most where the caller does not say.
    public static let defaultMaximumBytes = 16 << 10

    /// A header that was read: another token that begins with the same text has the same one.
    public struct KnownHeader: Sendable {
        fileprivate let text: [UInt8]
        fileprivate let header: JWSHeader
    }

    /// Reads a token in linear time and memory.
    /// - Parameter known: a header that was read before, which need not be read again. Tokens of one key have one.
    /// - Throws: `JWSError` for anything but three parts of strict base64url, of which header and signature are not
    ///   empty, and a header that is acceptable. Flattened and general JSON serialization (RFC 7515 §7.2) are none.
    public init(
        parsing token: [UInt8], maximumBytes: Int = defaultMaximumBytes, known: KnownHeader? = nil
    ) throws(JWSError) {
        let text = token.span
        guard text.count <= maximumBytes else { throw .tooLarge }
        guard let (first, second) = Self.dots(in: text) else { throw .notCompact }
        guard first > 0, second + 1 < text.count else { throw .notCompact }
        guard let payload = Base64URL.decode(text.extracting(first + 1..<second)),
            let signature = Base64URL.decode(text.extracting(second + 1..<text.count))
        else { throw .invalidBase64URL }
        if let known, Self.isSame(known.text, text.extracting(0..<first)) {
            header = known.header
        } else {
            guard let headerBytes = Base64URL.decode(text.extracting(0..<first)) else {
                throw .invalidBase64URL
            }
            header = try JWSHeader(parsing: headerBytes.span)
        }
        headerByteCount = first
        self.payload = payload
        self.signature = signature
        self.token = token
        signedByteCount = second
    }

    /// The header with its text.
    public var knownHeader: KnownHeader {
        KnownHeader(text: Array(token[..<headerByteCount]), header: header)
    }

    /// Whether this begins with the text of a known header.
    public func begins(with known: KnownHeader) -> Bool {
        Self.isSame(known.text, token.span.extracting(0..<headerByteCount))
    }

    private static func isSame(_ known: [UInt8], _ text: Span<UInt8>) -> Bool {
        guard known.count == text.count else { return false }
        let known = known.span
        for index in text.indices where known[index] != text[index] { return false }
        return true
    }

    /// Whether the signature is right under this key, whose algorithm must be the header's `alg`, letter by letter.
    public func verify(with key: PublicKey) -> Bool {
        header.algorithm.isExactly(key.algorithm.rawValue)
            && key.verify(signature.span, of: token.span.extracting(first: signedByteCount))
    }

    /// The places of the two dots; `nil` when there are more or fewer. Stops at the third.
    private static func dots(in token: Span<UInt8>) -> (Int, Int)? {
        var found: (first: Int?, second: Int?)
        for index in token.indices where token[index] == UInt8(ascii: ".") {
            if found.first == nil {
                found.first = index
            } else if found.second == nil {
                found.second = index
            } else {
                return nil
            }
        }
        guard let first = found.first, let second = found.second else { return nil }
        return (first, second)
    }
}
