/// Base64url without padding (RFC 7515 §2, RFC 4648 §5).
///
/// Decoding is strict: no padding, no other characters, no set bits after the last byte (RFC 4648 §3.5), so that each
/// byte string has exactly one text.
public enum Base64URL {
    /// The text of these bytes.
    public static func encode(_ bytes: Span<UInt8>) -> String {
        var text: [UInt8] = []
        encode(bytes, appendingTo: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// The text of these bytes.
    public static func encode(_ bytes: [UInt8]) -> String { encode(bytes.span) }

    /// Appends the text of these bytes, in ASCII.
    public static func encode(_ bytes: Span<UInt8>, appendingTo output: inout [UInt8]) {
        Base64Alphabet.url.encode(bytes, appendingTo: &output)
    }

    /// How many characters the text of this many bytes has.
    public static func encodedByteCount(_ count: Int) -> Int { (count * 4 + 2) / 3 }

    /// The bytes of this text; `nil` when it is not base64url without padding.
    public static func decode(_ text: Span<UInt8>) -> [UInt8]? { Base64Alphabet.url.decode(text) }

    /// Appends the bytes of this text; says no when it is not base64url without padding.
    static func decode(_ text: Span<UInt8>, appendingTo bytes: inout [UInt8]) -> Bool {
        Base64Alphabet.url.decode(text, appendingTo: &bytes)
    }

    /// The bytes of this text; `nil` when it is not base64url without padding.
    public static func decode(_ text: String) -> [UInt8]? { decode(text.utf8.span) }
}
