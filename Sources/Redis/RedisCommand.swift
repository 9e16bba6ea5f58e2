/// A command in the form in which it is sent (RESP2): arguments are counted, so that none can be taken for two.
public struct RedisCommand: Sendable {
    let bytes: [UInt8]

    /// A command of texts, such as `RedisCommand("GET", key)`.
    public init(_ arguments: String...) {
        self.init(arguments)
    }

    /// A command of texts.
    public init(_ arguments: [String]) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(arguments.reduce(16) { $0 + $1.utf8.count + 16 })
        Self.append("*", arguments.count, to: &bytes)
        for argument in arguments {
            Self.append("$", argument.utf8.count, to: &bytes)
            bytes.append(contentsOf: argument.utf8)
            bytes.append(0x0D)
            bytes.append(0x0A)
        }
        self.bytes = bytes
    }

    private static func append(_ kind: Unicode.Scalar, _ count: Int, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: kind))
        if count < 10 {
            bytes.append(UInt8(ascii: "0") + UInt8(count))
        } else {
            bytes.append(contentsOf: String(count).utf8)
        }
        bytes.append(0x0D)
        bytes.append(0x0A)
    }
}
