/// Goes through a text of a client's record, field by field: see migrations/0004_client_records.sql.
struct RecordFields: ~Escapable {
    private let bytes: Span<UInt8>
    private var position = 0

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) {
        self.bytes = bytes
    }

    /// Whether no field is left.
    var isAtEnd: Bool { position == bytes.count }

    /// The next field, which ends where this byte is.
    /// - Throws: `corrupt` when there is no such byte.
    @_lifetime(copy self)
    private mutating func next(endingIn end: UInt8 = UInt8(ascii: " ")) throws(StoreError) -> Span<UInt8> {
        let start = position
        while position < bytes.count, bytes[position] != end { position += 1 }
        guard position < bytes.count else { throw Self.unreadable }
        position += 1
        return bytes.extracting(start..<position - 1)
    }

    /// The next field as text; the last one of its line where `isLast`.
    mutating func text(isLast: Bool = false) throws(StoreError) -> String {
        let field = try next(endingIn: isLast ? UInt8(ascii: "\n") : UInt8(ascii: " "))
        guard let text = try? UTF8Span(validating: field) else { throw Self.unreadable }
        return String(copying: text)
    }

    /// The next field as an integer; nil for an empty one.
    mutating func optionalInteger() throws(StoreError) -> Int64? {
        let digits = try next()
        if digits.isEmpty { return nil }
        let isNegative = digits[0] == UInt8(ascii: "-")
        var value: Int64 = 0
        for index in (isNegative ? 1 : 0)..<digits.count {
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let digit = Int64(digits[index]) - Int64(UInt8(ascii: "0"))
            let (sum, isTooMuch) = product.addingReportingOverflow(isNegative ? -digit : digit)
            guard (0...9).contains(digit), !isTooLarge, !isTooMuch else { throw Self.unreadable }
            value = sum
        }
        return value
    }

    /// The next field as an integer.
    mutating func integer() throws(StoreError) -> Int64 {
        guard let value = try optionalInteger() else { throw Self.unreadable }
        return value
    }

    /// The next field as the bytes that it says in hexadecimal.
    mutating func hexadecimal() throws(StoreError) -> [UInt8] {
        let digits = try next()
        guard digits.count.isMultiple(of: 2) else { throw Self.unreadable }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            bytes.append(try Self.digit(digits[index]) << 4 | Self.digit(digits[index + 1]))
        }
        return bytes
    }

    private static func digit(_ character: UInt8) throws(StoreError) -> UInt8 {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: throw unreadable
        }
    }

    private static var unreadable: StoreError {
        StoreError(.corrupt, "the registry holds a client's record that no version of authserver writes")
    }
}
