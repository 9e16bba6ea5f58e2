/// What Redis answers (RESP 2).
public enum RedisReply: Sendable, Hashable {
    /// Nothing there: a null bulk string or array.
    case null
    /// A number.
    case integer(Int64)
    /// A value.
    case string([UInt8])
    /// Done, such as `OK`.
    case status(String)
    /// An error inside an array; one that is the whole reply is thrown as `RedisError.refused`.
    case error(String)
    /// Several replies.
    case array([RedisReply])

    /// The number that a value is, or holds in decimal digits; nil for anything else.
    public var number: Int64? {
        switch self {
        case .integer(let value): value
        case .string(let bytes): Self.decimal(bytes)
        default: nil
        }
    }

    private static func decimal(_ bytes: [UInt8]) -> Int64? {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let digits = isNegative ? bytes.dropFirst() : bytes[...]
        guard (1...19).contains(digits.count) else { return nil }
        var value: Int64 = 0
        for byte in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.subtractingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
            if overflow || carry { return nil }
            value = sum
        }
        if isNegative { return value }
        return value == .min ? nil : -value
    }
}
