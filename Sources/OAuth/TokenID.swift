/// The `jti` of an access token (RFC 7519 §4.1.7): 22 characters of base64url with 128 random bits.
public struct TokenID: Sendable, CustomStringConvertible {
    private let form: Form

    /// What has the length of this product's identifiers is held in place: no memory is asked for, nothing is counted.
    private enum Form: Sendable {
        /// Bytes 0 to 7, 8 to 15 and 14 to 21.
        case words(UInt64, UInt64, UInt64)
        case text(String)
    }

    private static let usualByteCount = 22

    /// Takes a text that has the form of a token identifier of this product.
    /// - Throws: `VocabularyError` when it is not 22 characters of the base64url alphabet.
    public init(_ text: String) throws(VocabularyError) {
        try self.init(base64URL: text.utf8.span)
    }

    /// As above, by the bytes of the text.
    package init(base64URL bytes: Span<UInt8>) throws(VocabularyError) {
        guard bytes.count == Self.usualByteCount, Self.isBase64URL(bytes) else {
            throw VocabularyError("a token id is 22 characters of base64url")
        }
        form = Self.words(bytes)
    }

    /// Takes the `jti` of a token of any issuer: 1 to 255 bytes of UTF-8 without control characters.
    /// - Throws: `VocabularyError` when it is another text.
    public init(claim text: String) throws(VocabularyError) {
        let bytes = text.utf8.span
        guard (1...255).contains(bytes.count), !Self.hasControl(bytes) else { throw Self.noClaim }
        form = bytes.count == Self.usualByteCount ? Self.words(bytes) : .text(text)
    }

    /// Takes the `jti` of a token, in printable ASCII.
    /// - Throws: `VocabularyError` when it is empty or too long.
    package init(printable bytes: Span<UInt8>) throws(VocabularyError) {
        if bytes.count == Self.usualByteCount {
            form = Self.words(bytes)
        } else {
            guard (1...255).contains(bytes.count), let text = try? UTF8Span(validating: bytes) else {
                throw Self.noClaim
            }
            form = .text(String(copying: text))
        }
    }

    /// The identifier as it stands in the claim.
    public var value: String {
        if case .text(let text) = form { return text }
        var value: String?
        withBytes { bytes in
            if let text = try? UTF8Span(validating: bytes) { value = String(copying: text) }
        }
        guard let value else { preconditionFailure("the bytes of a text are a text") }
        return value
    }

    /// Hands over its bytes where they stand.
    package func withBytes(_ body: (Span<UInt8>) -> Void) {
        switch form {
        case .text(let text): body(text.utf8.span)
        case .words(let first, let second, let last):
            var bytes = InlineArray<22, UInt8>(repeating: 0)
            for index in 0..<8 {
                bytes[index] = Self.byte(index, of: first)
                bytes[8 + index] = Self.byte(index, of: second)
                bytes[14 + index] = Self.byte(index, of: last)
            }
            body(bytes.span)
        }
    }

    private static var noClaim: VocabularyError {
        VocabularyError("a token id has 1 to 255 bytes and no control characters")
    }

    private static func words(_ bytes: Span<UInt8>) -> Form {
        .words(
            word(bytes.extracting(0..<8)), word(bytes.extracting(8..<16)), word(bytes.extracting(14..<22)))
    }

    /// Eight bytes as a number, the first of them the lowest.
    @inline(__always)
    private static func word(_ eight: Span<UInt8>) -> UInt64 {
        var word: UInt64 = 0
        for place in 0..<8 { word |= UInt64(eight[place]) << UInt64(truncatingIfNeeded: 8 * place) }
        return word
    }

    private static func byte(_ place: Int, of word: UInt64) -> UInt8 {
        UInt8(truncatingIfNeeded: word >> UInt64(truncatingIfNeeded: 8 * place))
    }

    private static func hasControl(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices where bytes[index] < 0x20 || bytes[index] == 0x7F { return true }
        return false
    }

    private static func isBase64URL(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                continue
            default: return false
            }
        }
        return true
    }

    /// The identifier itself: it names a token, it does not open anything.
    public var description: String { value }
}

extension TokenID: Hashable {
    /// Equal byte by byte: two spellings of one character are two identifiers, as in the store.
    public static func == (left: TokenID, right: TokenID) -> Bool {
        switch (left.form, right.form) {
        case (.words(let first, let second, let last), .words(let otherFirst, let otherSecond, let otherLast)):
            first == otherFirst && second == otherSecond && last == otherLast
        case (.text(let text), .text(let other)): text.utf8.elementsEqual(other.utf8)
        default: false
        }
    }

    /// Feeds the text: equal bytes give equal hashes.
    public func hash(into hasher: inout Hasher) {
        switch form {
        case .words(let first, let second, let last):
            hasher.combine(first)
            hasher.combine(second)
            hasher.combine(last)
        case .text(let text): hasher.combine(text)
        }
    }
}
