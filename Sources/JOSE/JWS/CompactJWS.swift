public import OpenSSLCrypto

/// A JWS in compact serialization (RFC 7515 §7.1), read but not verified: believe nothing of it before `verify`.
public struct CompactJWS: Sendable {
    /// The header with its text, for tokens that come later.
    public let knownHeader: KnownHeader
    /// The token itself, where its caller has it.
    package let token: TokenText
    /// How much of the text is signed: the first two parts with the dot between them.
    private let signedByteCount: Int
    /// Payload and signature, one after the other in one piece of memory.
    private let decoded: [UInt8]
    private let payloadByteCount: Int

    /// How many bytes a token has at most where the caller does not say.
    public static let defaultMaximumBytes = 16 << 10

    /// A header that was read: another token that begins with the same text has the same one. An object, so that a
    /// token refers to it and copies nothing.
    public final class KnownHeader: Sendable {
        /// With the dot after it.
        fileprivate let text: [UInt8]
        /// The same, hashed; nil where its algorithm is unknown or takes no digest.
        fileprivate let beginning: SHA256.Beginning?
        /// What it says.
        package let header: JWSHeader
        /// Its `alg`, where it is known here.
        fileprivate let algorithm: SignatureAlgorithm?

        fileprivate init(reading text: Span<UInt8>) throws(JWSError) {
            guard let bytes = Base64URL.decode(text) else { throw .invalidBase64URL }
            let header = try JWSHeader(parsing: bytes.span)
            self.header = header
            algorithm = SignatureAlgorithm.allCases.first { header.algorithm.isExactly($0.rawValue) }
            let copy = [UInt8](capacity: text.count + 1) { copy in
                for index in text.indices { copy.append(text[index]) }
                copy.append(dot)
            }
            self.text = copy
            beginning = algorithm == nil || algorithm == .eddsa ? nil : SHA256.Beginning(copy.span)
        }

        /// Whether a token begins with it and the dot after it.
        fileprivate func begins(_ token: Span<UInt8>) -> Bool {
            let text = text
            return text.span.isExactly(token.extracting(first: text.count))
        }
    }

    /// The header.
    public var header: JWSHeader { knownHeader.header }

    /// The token itself.
    public var text: [UInt8] { token.bytes }

    /// The payload as bytes; may be empty.
    public var payload: [UInt8] { Array(decoded[..<payloadByteCount]) }

    /// As above, where it stands.
    package var payloadBytes: Span<UInt8> {
        @_lifetime(borrow self) get { decoded.span.extracting(first: payloadByteCount) }
    }

    /// Reads a token in linear time and memory.
    /// - Parameter known: a header that was read before, which need not be read again. Tokens of one key have one.
    /// - Throws: `JWSError` for anything but three parts of strict base64url, of which header and signature are not
    ///   empty, and a header that is acceptable. Flattened and general JSON serialization (RFC 7515 §7.2) are none.
    public init(
        parsing token: [UInt8], maximumBytes: Int = defaultMaximumBytes, known: KnownHeader? = nil
    ) throws(JWSError) {
        try self.init(parsing: TokenText(token), maximumBytes: maximumBytes, known: known)
    }

    /// As above, without a copy of the token.
    package init(
        parsing token: TokenText, maximumBytes: Int = defaultMaximumBytes, known: KnownHeader? = nil
    ) throws(JWSError) {
        let text = token.span
        guard text.count <= maximumBytes else { throw .tooLarge }
        let known = known.flatMap { $0.begins(text) ? $0 : nil }
        guard let first = known.map({ $0.text.count - 1 }) ?? text.firstIndex(of: dot, from: 0),
            let second = text.firstIndex(of: dot, from: first + 1)
        else { throw .notCompact }
        guard first > 0, second + 1 < text.count else { throw .notCompact }
        var decoded: [UInt8] = []
        decoded.reserveCapacity((text.count - first) * 3 / 4)
        let isPayload = Base64URL.decode(text.extracting(first + 1..<second), appendingTo: &decoded)
        payloadByteCount = decoded.count
        guard isPayload, Base64URL.decode(text.extracting((second + 1)...), appendingTo: &decoded) else {
            // A third dot is no character of base64url, so that it is looked for only now.
            throw text.firstIndex(of: dot, from: second + 1) == nil ? .invalidBase64URL : .notCompact
        }
        if let known {
            knownHeader = known
        } else {
            knownHeader = try KnownHeader(reading: text.extracting(0..<first))
        }
        self.decoded = decoded
        self.token = token
        signedByteCount = second
    }

    /// Whether the signature is right under this key, whose algorithm must be the header's `alg`, letter by letter.
    public func verify(with key: PublicKey) -> Bool {
        knownHeader.algorithm == key.algorithm
            && key.verify(
                decoded.span.extracting(droppingFirst: payloadByteCount),
                of: token.span.extracting(first: signedByteCount), after: knownHeader.beginning)
    }
}

private let dot = UInt8(ascii: ".")
