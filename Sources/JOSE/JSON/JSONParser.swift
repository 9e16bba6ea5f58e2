/// Reads a JSON text (RFC 8259) from start to end, once.
struct JSONParser: ~Escapable {
    let bytes: Span<UInt8>
    var index = 0
    private let maximumDepth: Int

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    mutating func parse() throws(JSONError) -> JSONValue {
        skipWhiteSpace()
        let value = try parseValue(depth: 0)
        skipWhiteSpace()
        guard index == bytes.count else { throw error(.unexpectedByte) }
        return value
    }

    /// The byte at the position.
    func current() throws(JSONError) -> UInt8 {
        guard index < bytes.count else { throw error(.unexpectedEnd) }
        return bytes[index]
    }

    func error(_ code: JSONError.Code) -> JSONError { JSONError(code: code, offset: index) }

    private mutating func parseValue(depth: Int) throws(JSONError) -> JSONValue {
        switch try current() {
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "{"): return .object(try parseObject(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try parseArray(depth: depth + 1))
        case UInt8(ascii: "t"): return try parse("true", as: .bool(true))
        case UInt8(ascii: "f"): return try parse("false", as: .bool(false))
        case UInt8(ascii: "n"): return try parse("null", as: .null)
        default: return try parseNumber()
        }
    }

    private mutating func parseObject(depth: Int) throws(JSONError) -> JSONObject {
        guard depth <= maximumDepth else { throw error(.tooDeep) }
        let start = index
        var members: [JSONObject.Member] = []
        // As many as the claims of a token are, so that it grows once for most.
        members.reserveCapacity(8)
        guard try !opensEmpty(closing: UInt8(ascii: "}")) else { return JSONObject() }
        repeat {
            skipWhiteSpace()
            guard try current() == UInt8(ascii: "\"") else { throw error(.unexpectedByte) }
            let name = try parseString()
            skipWhiteSpace()
            guard try current() == UInt8(ascii: ":") else { throw error(.unexpectedByte) }
            index += 1
            skipWhiteSpace()
            members.append(.init(name: name, value: try parseValue(depth: depth)))
        } while try continues(closing: UInt8(ascii: "}"))
        guard !JSONObject.hasDuplicates(members) else { throw JSONError(code: .duplicateName, offset: start) }
        return JSONObject(unique: members)
    }

    private mutating func parseArray(depth: Int) throws(JSONError) -> [JSONValue] {
        guard depth <= maximumDepth else { throw error(.tooDeep) }
        var values: [JSONValue] = []
        guard try !opensEmpty(closing: UInt8(ascii: "]")) else { return values }
        repeat {
            skipWhiteSpace()
            values.append(try parseValue(depth: depth))
        } while try continues(closing: UInt8(ascii: "]"))
        return values
    }

    /// Steps over the opening bracket, and over the closing one where it is next.
    private mutating func opensEmpty(closing: UInt8) throws(JSONError) -> Bool {
        index += 1
        skipWhiteSpace()
        guard try current() == closing else { return false }
        index += 1
        return true
    }

    /// Steps over a comma, or over the closing bracket and says no.
    private mutating func continues(closing: UInt8) throws(JSONError) -> Bool {
        skipWhiteSpace()
        let byte = try current()
        guard byte == UInt8(ascii: ",") || byte == closing else { throw error(.unexpectedByte) }
        index += 1
        return byte != closing
    }

    private mutating func parse(_ literal: StaticString, as value: JSONValue) throws(JSONError) -> JSONValue {
        for byte in literal.description.utf8 {
            guard try current() == byte else { throw error(.unexpectedByte) }
            index += 1
        }
        return value
    }

    private mutating func skipWhiteSpace() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return
            }
        }
    }
}
