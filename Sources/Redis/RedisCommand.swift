/// A command as it goes over the wire: a RESP array of bulk strings, in one buffer.
public struct RedisCommand: Sendable, CustomStringConvertible {
    /// One argument of a command.
    public enum Argument: Sendable {
        /// A text, such as the name of a key or an option.
        case text(String)
        /// Bytes as they are.
        case bytes([UInt8])
        /// A number, in decimal digits.
        case integer(Int64)
    }

    let bytes: [UInt8]
    private let name: StaticString

    /// A command with its name and arguments: `RedisCommand("GET", .text("key"))`.
    public init(_ name: StaticString, _ arguments: Argument...) {
        self.init(name, arguments)
    }

    /// A command with as many arguments as there are.
    public init(_ name: StaticString, _ arguments: [Argument]) {
        var encoder = CommandEncoder()
        encoder.begin(count: arguments.count + 1)
        encoder.append(name)
        for argument in arguments { encoder.append(argument) }
        bytes = encoder.bytes
        self.name = name
    }

    /// The name without the arguments, which may be secret.
    public var description: String { "\(name)" }
}

extension RedisCommand.Argument: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// A number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
}

/// Writes the parts of a command one after another.
private struct CommandEncoder {
    private(set) var bytes: [UInt8] = []

    mutating func begin(count: Int) {
        bytes.reserveCapacity(160)
        bytes.append(UInt8(ascii: "*"))
        appendDigits(UInt64(count))
        appendLineEnd()
    }

    mutating func append(_ name: StaticString) {
        name.withUTF8Buffer { name in
            appendHeader(length: name.count)
            bytes.append(contentsOf: name)
        }
        appendLineEnd()
    }

    mutating func append(_ argument: RedisCommand.Argument) {
        switch argument {
        case .text(let text):
            appendHeader(length: text.utf8.count)
            bytes.append(contentsOf: text.utf8)
        case .bytes(let value):
            appendHeader(length: value.count)
            bytes.append(contentsOf: value)
        case .integer(let value):
            let magnitude = value.magnitude
            appendHeader(length: Self.digitCount(magnitude) + (value < 0 ? 1 : 0))
            if value < 0 { bytes.append(UInt8(ascii: "-")) }
            appendDigits(magnitude)
        }
        appendLineEnd()
    }

    private mutating func appendHeader(length: Int) {
        bytes.append(UInt8(ascii: "$"))
        appendDigits(UInt64(length))
        appendLineEnd()
    }

    private mutating func appendLineEnd() {
        bytes.append(UInt8(ascii: "\r"))
        bytes.append(UInt8(ascii: "\n"))
    }

    private mutating func appendDigits(_ value: UInt64) {
        if value >= 10 { appendDigits(value / 10) }
        bytes.append(UInt8(ascii: "0") + UInt8(value % 10))
    }

    private static func digitCount(_ value: UInt64) -> Int {
        var count = 1
        var rest = value / 10
        while rest > 0 {
            count += 1
            rest /= 10
        }
        return count
    }
}
