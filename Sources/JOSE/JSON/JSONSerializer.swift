/// Writes JSON without white space.
enum JSONSerializer {
    static func append(_ value: JSONValue, to output: inout [UInt8]) {
        switch value {
        case .null: output += "null".utf8
        case .bool(let bool): output += (bool ? "true" : "false").utf8
        case .integer(let integer): append(integer, to: &output)
        case .number(let number): output += (number.isFinite ? number.description : "null").utf8
        case .string(let text): append(text.utf8.span, to: &output)
        case .array(let values): append(values, to: &output)
        case .object(let object): append(object, to: &output)
        }
    }

    /// Appends a text in UTF-8 with its quotation marks.
    static func append(_ text: Span<UInt8>, to output: inout [UInt8]) {
        output.append(quotationMark)
        if needsEscape(text) {
            for index in text.indices {
                let byte = text[index]
                if needsEscape(byte) { appendEscape(of: byte, to: &output) } else { output.append(byte) }
            }
        } else {
            output.append(addingCapacity: text.count) { output in
                for index in text.indices { output.append(text[index]) }
            }
        }
        output.append(quotationMark)
    }

    static func append(_ number: Int64, to output: inout [UInt8]) {
        if number < 0 { output.append(UInt8(ascii: "-")) }
        // The longest magnitude is that of Int64.min, 19 digits; they are found from the last to the first.
        var digits = InlineArray<19, UInt8>(repeating: 0)
        var rest = number.magnitude
        var first = digits.count
        repeat {
            first -= 1
            digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        for index in first..<digits.count { output.append(digits[index]) }
    }

    /// Looks at every byte without a branch, which is quicker than to stop at the first.
    private static func needsEscape(_ bytes: Span<UInt8>) -> Bool {
        var isFound = false
        for index in bytes.indices { isFound = needsEscape(bytes[index]) || isFound }
        return isFound
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == quotationMark || byte == reverseSolidus
    }

    private static func append(_ values: [JSONValue], to output: inout [UInt8]) {
        output.append(UInt8(ascii: "["))
        for (index, value) in values.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            append(value, to: &output)
        }
        output.append(UInt8(ascii: "]"))
    }

    private static func append(_ object: JSONObject, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        for (index, member) in object.members.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            append(member.name.utf8.span, to: &output)
            output.append(UInt8(ascii: ":"))
            append(member.value, to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }

    private static func appendEscape(of byte: UInt8, to output: inout [UInt8]) {
        output.append(reverseSolidus)
        switch byte {
        case quotationMark, reverseSolidus: output.append(byte)
        case 0x08: output.append(UInt8(ascii: "b"))
        case 0x09: output.append(UInt8(ascii: "t"))
        case 0x0A: output.append(UInt8(ascii: "n"))
        case 0x0C: output.append(UInt8(ascii: "f"))
        case 0x0D: output.append(UInt8(ascii: "r"))
        default:
            output += "u00".utf8
            output += [hexadecimalDigit(byte >> 4), hexadecimalDigit(byte & 0x0F)]
        }
    }

    private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    private static let quotationMark = UInt8(ascii: "\"")
    private static let reverseSolidus = UInt8(ascii: "\\")
}
