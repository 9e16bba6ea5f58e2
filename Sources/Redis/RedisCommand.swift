/// A command as it goes over the wire: a RESP array of bulk strings, in one buffer.
public struct RedisCommand: Sendable, CustomStringConvertible {
    /// One argument of a command.
    public enum Argument: Sendable {
        /// A text, such as the name of a key or an option.
        case text(String)
        /// Two texts as one, such as what the names of keys begin with, and the rest of a name.
        case joined(String, String)
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
        Digits(UInt64(count)).append(to: &bytes)
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
        case .joined(let first, let second):
            appendHeader(length: first.utf8.count + second.utf8.count)
            bytes.append(contentsOf: first.utf8)
            bytes.append(contentsOf: second.utf8)
        case .bytes(let value):
            appendHeader(length: value.count)
            bytes.append(contentsOf: value)
        case .integer(let value):
            let digits = Digits(value.magnitude)
            appendHeader(length: digits.count + (value < 0 ? 1 : 0))
            if value < 0 { bytes.append(UInt8(ascii: "-")) }
            digits.append(to: &bytes)
        }
        appendLineEnd()
    }

    private mutating func appendHeader(length: Int) {
        bytes.append(UInt8(ascii: "$"))
        Digits(UInt64(length)).append(to: &bytes)
        appendLineEnd()
    }

    private mutating func appendLineEnd() {
        bytes.append(UInt8(ascii: "\r"))
        bytes.append(UInt8(ascii: "\n"))
    }
}

/// A number in decimal digits.
private struct Digits {
    private var digits = InlineArray<20, UInt8>(repeating: 0)
    private var first = 20

    init(_ value: UInt64) {
        var rest = value
        repeat {
            first -= 1
            digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
    }

    var count: Int { 20 - first }

    func append(to bytes: inout [UInt8]) {
        for index in first..<20 { bytes.append(digits[index]) }
    }
}
