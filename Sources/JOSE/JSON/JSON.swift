/// JSON text (RFC 8259), read strictly because tokens are made of it.
public enum JSON {
    /// Bounds on what is read; time and memory are linear in the size.
    public struct Limits: Sendable, Hashable {
        /// How many bytes a text may have.
        public var maximumBytes: Int
        /// How deep arrays and objects may be nested, at most 512.
        public var maximumDepth: Int

        /// A megabyte, nested 16 deep.
        public init(maximumBytes: Int = 1 << 20, maximumDepth: Int = 16) {
            self.maximumBytes = maximumBytes
            self.maximumDepth = min(maximumDepth, 512)
        }
    }

    /// Reads one value.
    /// - Throws: `JSONError` for anything but RFC 8259, and for duplicate member names (compared unescaped), invalid
    ///   UTF-8, lone surrogates and numbers beyond a double.
    public static func parse(_ bytes: Span<UInt8>, limits: Limits = Limits()) throws(JSONError) -> JSONValue {
        guard bytes.count <= limits.maximumBytes else {
            throw JSONError(code: .tooLarge, offset: limits.maximumBytes)
        }
        var parser = JSONParser(bytes, maximumDepth: limits.maximumDepth)
        return try parser.parse()
    }

    /// Reads one value.
    public static func parse(_ bytes: [UInt8], limits: Limits = Limits()) throws(JSONError) -> JSONValue {
        try parse(bytes.span, limits: limits)
    }

    /// The text of a value, without white space; a number that is not finite becomes `null`.
    public static func serialize(_ value: JSONValue) -> [UInt8] {
        var output: [UInt8] = []
        JSONSerializer.append(value, to: &output)
        return output
    }

    /// Appends `text` as a JSON string with its quotation marks.
    public static func quote(_ text: String, appendingTo output: inout [UInt8]) {
        JSONSerializer.append(text.utf8.span, to: &output)
    }

    /// As above, of a text in UTF-8.
    package static func quote(_ text: Span<UInt8>, appendingTo output: inout [UInt8]) {
        JSONSerializer.append(text, to: &output)
    }

    /// Appends a number.
    package static func append(_ number: Int64, to output: inout [UInt8]) {
        JSONSerializer.append(number, to: &output)
    }

    /// Appends a text of the program as it is, such as a member's name with its punctuation.
    package static func append(_ text: StaticString, to output: inout [UInt8]) {
        text.withUTF8Buffer { output.append(contentsOf: $0) }
    }
}
