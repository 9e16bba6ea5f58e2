public import OpenSSLCrypto

/// A JWS in compact serialization (RFC 7515 §7.1), read but not verified: believe nothing of it before `verify`.
public struct CompactJWS: Sendable {
    /// The header.
    public let header: JWSHeader
    /// The payload as bytes; may be empty.
    public let payload: [UInt8]
    private let signature: [UInt8]
    /// The first two parts with the dot between them, which are what is signed.
    private let signingInput: [UInt8]

    /// How many bytes a token has at most where the caller does not say.
    public static let defaultMaximumBytes = 16 << 10

    /// Reads a token in linear time and memory.
    /// - Throws: `JWSError` for anything but three parts of strict base64url, of which header and signature are not
    ///   empty, and a header that is acceptable. Flattened and general JSON serialization (RFC 7515 §7.2) are none.
    public init(parsing token: Span<UInt8>, maximumBytes: Int = defaultMaximumBytes) throws(JWSError) {
        guard token.count <= maximumBytes else { throw .tooLarge }
        guard let (first, second) = Self.dots(in: token) else { throw .notCompact }
        guard first > 0, second + 1 < token.count else { throw .notCompact }
        guard let headerBytes = Base64URL.decode(token.extracting(0..<first)),
            let payload = Base64URL.decode(token.extracting(first + 1..<second)),
            let signature = Base64URL.decode(token.extracting(second + 1..<token.count))
        else { throw .invalidBase64URL }
        header = try JWSHeader(parsing: headerBytes.span)
        self.payload = payload
        self.signature = signature
        let signed = token.extracting(first: second)
        signingInput = [UInt8](capacity: second) { output in
            for index in signed.indices { output.append(signed[index]) }
        }
    }

    /// Whether the signature is right under this key, whose algorithm must be the header's `alg`, letter by letter.
    public func verify(with key: PublicKey) -> Bool {
        header.algorithm.isExactly(key.algorithm.rawValue)
            && key.verify(signature.span, of: signingInput.span)
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
