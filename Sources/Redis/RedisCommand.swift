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
        self.init(name, count: arguments.count) { writer in
            for argument in arguments { writer.append(argument) }
        }
    }

    /// A command whose arguments are written one after the other: nothing is collected, nothing joined first.
    /// - Parameter count: how many arguments `write` appends.
    public init(_ name: StaticString, count: Int, _ write: (inout Writer) -> Void) {
        var writer = Writer(name, count)
        write(&writer)
        precondition(writer.left == 0, "another number of arguments than was said")
        bytes = writer.bytes
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

extension RedisCommand {
    /// Writes the arguments of a command.
    public struct Writer {
        fileprivate private(set) var bytes: [UInt8] = []
        /// How many are still to come.
        fileprivate private(set) var left: Int

        fileprivate init(_ name: StaticString, _ count: Int) {
            left = count
            bytes.reserveCapacity(160)
            bytes.append(UInt8(ascii: "*"))
            Digits(UInt64(count + 1)).append(to: &bytes)
            appendLineEnd()
            name.withUTF8Buffer { name in
                appendHeader(length: name.count)
                bytes.append(contentsOf: name)
            }
            appendLineEnd()
        }

        /// An argument.
        public mutating func append(_ argument: Argument) {
            switch argument {
            case .text(let text): append(text.utf8.span)
            case .bytes(let value): append(value.span)
            case .integer(let value):
                let digits = Digits(value.magnitude)
                begin(length: digits.count + (value < 0 ? 1 : 0))
                if value < 0 { bytes.append(UInt8(ascii: "-")) }
                digits.append(to: &bytes)
                appendLineEnd()
            }
        }

        /// Two parts as one argument, such as what the names of keys begin with, and the rest of a name.
        public mutating func append(_ first: String, _ second: Span<UInt8>) {
            let first = first.utf8.span
            begin(length: first.count + second.count)
            appendBytes(first)
            appendBytes(second)
            appendLineEnd()
        }

        private mutating func append(_ value: Span<UInt8>) {
            begin(length: value.count)
            appendBytes(value)
            appendLineEnd()
        }

        private mutating func begin(length: Int) {
            left -= 1
            appendHeader(length: length)
        }

        private mutating func appendBytes(_ value: Span<UInt8>) {
            bytes.append(addingCapacity: value.count) { output in
                for index in value.indices { output.append(value[index]) }
            }
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
