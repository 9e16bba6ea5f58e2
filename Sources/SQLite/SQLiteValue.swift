/// A value to bind to a placeholder.
public enum SQLiteValue: Sendable, Hashable {
    /// `NULL`.
    case null
    /// An `INTEGER`.
    case integer(Int64)
    /// A `REAL`.
    case real(Double)
    /// A `TEXT`.
    case text(String)
    /// A `BLOB`.
    case blob([UInt8])

    /// An integer, or `NULL` for nil.
    public static func optional(_ value: Int64?) -> SQLiteValue { value.map(integer) ?? .null }

    /// A text, or `NULL` for nil.
    public static func optional(_ value: String?) -> SQLiteValue { value.map(text) ?? .null }
}
