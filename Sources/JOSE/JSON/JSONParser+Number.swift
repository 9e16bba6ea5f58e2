extension JSONParser {
    /// More characters than any number has that a program wrote; keeps the conversion linear.
    private static var maximumNumberByteCount: Int { 128 }

    /// Reads a number (RFC 8259 §6).
    mutating func parseNumber() throws(JSONError) -> JSONValue {
        let start = index
        let isNegative = skip(UInt8(ascii: "-"))
        let integer = try parseInteger(isNegative: isNegative)
        var isInteger = true
        if skip(UInt8(ascii: ".")) {
            isInteger = false
            try skipDigits()
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            isInteger = false
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            try skipDigits()
        }
        if isInteger, let integer { return .integer(integer) }
        return .number(try double(from: start))
    }

    /// Reads the digits before a point: `nil` when they do not fit 64 bits.
    private mutating func parseInteger(isNegative: Bool) throws(JSONError) -> Int64? {
        if skip(UInt8(ascii: "0")) { return 0 }
        let start = index
        try skipDigits()
        var value: Int64? = 0
        for index in start..<index {
            guard let magnitude = value else { return nil }
            let digit = Int64(bytes[index] - UInt8(ascii: "0"))
            let (shifted, overflowed) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carried) = shifted.addingReportingOverflow(isNegative ? -digit : digit)
            value = overflowed || carried ? nil : sum
        }
        return value
    }

    private func double(from start: Int) throws(JSONError) -> Double {
        guard index - start <= Self.maximumNumberByteCount,
            let span = try? UTF8Span(validating: bytes.extracting(start..<index)),
            let number = Double(String(copying: span)), number.isFinite
        else { throw JSONError(code: .numberOutOfRange, offset: start) }
        return number
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipDigits() throws(JSONError) {
        let start = index
        while index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) {
            index += 1
        }
        guard index > start else { throw error(index == bytes.count ? .unexpectedEnd : .unexpectedByte) }
    }
}
