/// A reply (RESP2).
public enum RedisReply: Sendable, Hashable {
    /// No value.
    case null
    /// A number.
    case integer(Int64)
    /// Bytes.
    case string([UInt8])
    /// A word of success, such as `OK`.
    case status(String)
    /// An error reply, whose first word is its kind.
    case error(String)
    /// Several replies.
    case array([RedisReply])

    /// The number that this is, or that its bytes write.
    public var integer: Int64? {
        switch self {
        case .integer(let number): number
        case .string(let bytes): Int64(String(decoding: bytes, as: UTF8.self))
        default: nil
        }
    }
}
