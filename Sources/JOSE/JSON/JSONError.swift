/// Why a text is not acceptable JSON. Holds nothing of the text but an offset.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public enum Code: Sendable, Hashable {
        /// The text has more bytes than the limit.
        case tooLarge
        /// Arrays and objects are nested deeper than the limit.
        case tooDeep
        /// The text ends too early.
        case unexpectedEnd
        /// A byte that RFC 8259 does not allow here.
        case unexpectedByte
        /// A string with invalid UTF-8, a control character, an unknown escape or a lone surrogate.
        case invalidString
        /// A number beyond the range of a double, or with more than 128 characters.
        case numberOutOfRange
        /// An object that has a member twice (RFC 7515 §4, RFC 7519 §4).
        case duplicateName
    }

    /// What is wrong.
    public let code: Code
    /// Where, in bytes from the start.
    public let offset: Int

    /// What is wrong, for a person.
    public var description: String {
        let reason =
            switch code {
            case .tooLarge: "the JSON text is too large"
            case .tooDeep: "the JSON text is nested too deep"
            case .unexpectedEnd: "the JSON text ends too early"
            case .unexpectedByte: "the text is not JSON (RFC 8259)"
            case .invalidString: "a JSON string is not valid (RFC 8259 section 7)"
            case .numberOutOfRange: "a JSON number is out of range"
            case .duplicateName: "a JSON object has a member twice"
            }
        return "\(reason), at byte \(offset)"
    }
}
