/// The text of a token where its caller has it, so that it need not be copied to be read: bytes, or the end of a text
/// such as a header's value.
package struct TokenText: Sendable {
    private let array: [UInt8]
    /// The text that holds it, empty where the array does.
    private let text: String.UTF8View
    private let offset: Int

    package init(_ bytes: [UInt8]) {
        array = bytes
        text = "".utf8
        offset = 0
    }

    /// What stands in a text from this byte of its UTF-8 on.
    package init(_ text: String, from offset: Int) {
        array = []
        self.text = text.utf8
        self.offset = offset
    }

    /// The token.
    package var span: Span<UInt8> {
        @_lifetime(borrow self) get {
            if text.isEmpty { return array.span }
            return text.span.extracting(droppingFirst: offset)
        }
    }

    /// The token, copied where it stands in a text.
    package var bytes: [UInt8] {
        text.isEmpty ? array : Array(text.dropFirst(offset))
    }
}
