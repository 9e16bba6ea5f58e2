/// The `Authorization: Bearer` header (RFC 6750 §2.1), read strictly.
enum BearerHeader {
    /// What an Authorization value is.
    enum Reading: Equatable {
        /// Another scheme and a space: not an attempt to present a token.
        case anotherScheme
        /// No scheme and a space: nothing at all, or perhaps a token by itself.
        case noScheme
        /// Bearer, and not one token of the allowed characters.
        case malformed
        /// A token that starts at this offset and runs to the end.
        case token(offset: Int)
    }

    /// Reads a field value, without its surrounding white space, as a server's parser leaves it.
    static func read(_ value: Span<UInt8>) -> Reading {
        let schemeEnd = firstIndex(in: value, from: 0) { !isTokenCharacter($0) }
        guard isBearer(value, schemeEnd) else {
            let isScheme = 0 < schemeEnd && schemeEnd < value.count && value[schemeEnd] == UInt8(ascii: " ")
            return isScheme ? .anotherScheme : .noScheme
        }
        let start = firstIndex(in: value, from: schemeEnd) { $0 != UInt8(ascii: " ") }
        guard start > schemeEnd, start < value.count else { return .malformed }
        let end = firstIndex(in: value, from: start) { !isToken68($0) }
        return end == value.count ? .token(offset: start) : .malformed
    }

    /// The offset of the token where the value starts with exactly `Bearer `; the usual spelling, found fast.
    static func usualOffset(_ value: Span<UInt8>) -> Int? {
        value.count > 7 && value[6] == UInt8(ascii: " ") && isBearer(value, 6) ? 7 : nil
    }

    /// Whether the first six bytes are `bearer` in any case (RFC 9110 §11.1), and the scheme ends there.
    private static func isBearer(_ value: Span<UInt8>, _ schemeEnd: Int) -> Bool {
        guard schemeEnd == 6, value.count >= 6 else { return false }
        var packed: UInt64 = 0
        for index in 0..<6 { packed = packed << 8 | UInt64(value[index] | 0x20) }
        return packed == 0x62_65_61_72_65_72
    }

    private static func firstIndex(
        in value: Span<UInt8>, from start: Int, where isFound: (UInt8) -> Bool
    ) -> Int {
        var index = start
        while index < value.count, !isFound(value[index]) { index += 1 }
        return index
    }

    /// `tchar` of RFC 9110 §5.6.2, as far as a scheme name needs it.
    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// `token68` of RFC 9110 §11.2, which is `b64token` of RFC 6750 §2.1. Where `=` stands is the JWT's matter.
    private static func isToken68(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: isTokenCharacter(byte)
        }
    }
}
