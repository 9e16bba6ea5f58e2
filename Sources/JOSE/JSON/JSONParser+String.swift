extension JSONParser {
    /// Reads a string (RFC 8259 §7), the position being at its first quotation mark.
    mutating func parseString() throws(JSONError) -> String {
        index += 1
        let start = index
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                let text = try text(of: bytes.extracting(start..<index), at: start)
                index += 1
                return text
            case UInt8(ascii: "\\"): return try parseEscapedString(from: start)
            case 0..<0x20: throw error(.invalidString)
            default: index += 1
            }
        }
        throw error(.unexpectedEnd)
    }

    /// Goes on where a string has its first escape.
    private mutating func parseEscapedString(from start: Int) throws(JSONError) -> String {
        var unescaped: [UInt8] = []
        for index in start..<index { unescaped.append(bytes[index]) }
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                let text = try text(of: unescaped.span, at: start)
                index += 1
                return text
            case UInt8(ascii: "\\"):
                index += 1
                try parseEscape(appendingTo: &unescaped)
            case 0..<0x20: throw error(.invalidString)
            default:
                unescaped.append(byte)
                index += 1
            }
        }
        throw error(.unexpectedEnd)
    }

    private mutating func parseEscape(appendingTo output: inout [UInt8]) throws(JSONError) {
        let byte = try current()
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): output.append(byte)
        case UInt8(ascii: "b"): output.append(0x08)
        case UInt8(ascii: "t"): output.append(0x09)
        case UInt8(ascii: "n"): output.append(0x0A)
        case UInt8(ascii: "f"): output.append(0x0C)
        case UInt8(ascii: "r"): output.append(0x0D)
        case UInt8(ascii: "u"):
            let scalar = try parseScalar()
            for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { output.append(byte) }
        default: throw error(.invalidString)
        }
    }

    /// Reads what follows `\u`, and the second half of a surrogate pair.
    private mutating func parseScalar() throws(JSONError) -> Unicode.Scalar {
        let first = try parseHexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, try current() == UInt8(ascii: "\\") else { throw error(.invalidString) }
        index += 1
        guard try current() == UInt8(ascii: "u") else { throw error(.invalidString) }
        index += 1
        let second = try parseHexadecimal()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
        else { throw error(.invalidString) }
        return scalar
    }

    private mutating func parseHexadecimal() throws(JSONError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            let byte = try current()
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: throw error(.invalidString)
            }
            value = value << 4 | UInt16(digit)
            index += 1
        }
        return value
    }

    private func text(of bytes: Span<UInt8>, at offset: Int) throws(JSONError) -> String {
        do {
            return String(copying: try UTF8Span(validating: bytes))
        } catch {
            throw JSONError(code: .invalidString, offset: offset)
        }
    }
}
