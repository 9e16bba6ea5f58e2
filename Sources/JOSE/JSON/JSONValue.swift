/// A JSON value (RFC 8259 §3).
public enum JSONValue: Sendable, Hashable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number without fraction and exponent that fits 64 bits.
    case integer(Int64)
    /// Any other number; finite.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(JSONObject)
}

extension JSONValue {
    /// The text of a string.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The members of an array.
    public var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }

    /// The members of an object.
    public var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A string.
    public init(stringLiteral text: String) { self = .string(text) }
    /// An integer.
    public init(integerLiteral integer: Int64) { self = .integer(integer) }
    /// `true` or `false`.
    public init(booleanLiteral bool: Bool) { self = .bool(bool) }
    /// An array.
    public init(arrayLiteral values: JSONValue...) { self = .array(values) }
    /// An object; of a name given twice the last value counts.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        var object = JSONObject()
        for (name, value) in members { object[name] = value }
        self = .object(object)
    }
}
