/// What the engine underneath lets through and a security product must not: decided here, over values alone.
///
/// Smuggling needs two readings of one request (RFC 9112 §11.2), so anything that two parsers may read in
/// two ways is refused and the connection closed.
enum Strictness {
    /// Why a request is not served.
    struct Refusal: Error, Equatable {
        let status: Int
        let reason: String
    }

    /// Checks a header block that has arrived.
    /// - Parameters:
    ///   - version: `HTTP/1.0` or `HTTP/1.1`, as sent.
    ///   - isWhole: whether the block holds nothing besides what is given here.
    /// - Returns: how many bytes the body has.
    /// - Throws: why the request is not served.
    static func contentLength(
        method: String, target: String, version: String, fields: [HTTPField], headerBytes: Int,
        isWhole: Bool, limits: HTTPServerConfiguration
    ) throws(Refusal) -> Int {
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            throw Refusal(status: 505, reason: "only HTTP/1.1 and HTTP/1.0 are spoken here")
        }
        guard headerBytes <= limits.maximumHeaderBytes else {
            throw Refusal(status: 431, reason: "the header block is too large")
        }
        guard isWhole else {
            throw Refusal(status: 400, reason: "a header line is folded, has a NUL, or has no CRLF")
        }
        guard isToken(method) else { throw Refusal(status: 400, reason: "the method is not a token") }
        guard RequestTarget.isWellFormed(target) else {
            throw Refusal(status: 400, reason: "the request target is malformed")
        }
        let framing = try Framing(of: fields)
        guard framing.hosts == 1 || (framing.hosts == 0 && version == "HTTP/1.0") else {
            throw Refusal(status: 400, reason: "there must be exactly one Host field")
        }
        return try framing.contentLength(limits)
    }

    /// What the header fields say of where a request goes and where it ends.
    private struct Framing {
        private(set) var hosts = 0
        private var lengths = 0
        /// Where the last Content-Length says how much.
        private var length: String?
        private var isCoded = false

        /// Looks at each field once.
        init(of fields: [HTTPField]) throws(Refusal) {
            let fields = fields.span
            for index in fields.indices where !isToken(fields[index].name) {
                throw Refusal(status: 400, reason: "a field name is not a token")
            }
            for index in fields.indices where !isValue(fields[index].value) {
                throw Refusal(status: 400, reason: "a field value has a control character")
            }
            for index in fields.indices {
                // So few names have these lengths that the names themselves are hardly looked at.
                switch fields[index].name.utf8.count {
                case 4 where fields[index].isNamed("host"):
                    hosts += 1
                    guard isHost(fields[index].value.utf8.span) else {
                        throw Refusal(
                            status: 400, reason: "the Host field is not a host with or without a port")
                    }
                case 14 where fields[index].isNamed("content-length"):
                    lengths += 1
                    length = fields[index].value
                case 17 where fields[index].isNamed("transfer-encoding"): isCoded = true
                default: break
                }
            }
        }

        /// The framing rules of RFC 9112 §6: one Content-Length of digits, no transfer coding.
        func contentLength(_ limits: HTTPServerConfiguration) throws(Refusal) -> Int {
            guard lengths <= 1 else {
                throw Refusal(status: 400, reason: "there is more than one Content-Length")
            }
            if isCoded {
                throw length == nil
                    ? Refusal(status: 411, reason: "send the body with a Content-Length")
                    : Refusal(status: 400, reason: "Content-Length and Transfer-Encoding exclude each other")
            }
            guard let length else { return 0 }
            guard !length.isEmpty, length.utf8.allSatisfy(isDigit) else {
                throw Refusal(status: 400, reason: "the Content-Length is not a number")
            }
            guard let bytes = Int(length), bytes <= limits.maximumBodyBytes else {
                throw Refusal(status: 413, reason: "the body is too large")
            }
            return bytes
        }
    }

    /// A token of RFC 9110 §5.6.2.
    static func isToken(_ text: String) -> Bool {
        let bytes = text.utf8.span
        for index in bytes.indices where !isTokenByte(bytes[index]) { return false }
        return !bytes.isEmpty
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "!"),
            UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// A field value has no control character besides the tab (RFC 9110 §5.5).
    static func isValue(_ text: String) -> Bool {
        let bytes = text.utf8Span.span
        for index in bytes.indices where bytes[index] < 0x20 || bytes[index] == 0x7F {
            guard bytes[index] == 0x09 else { return false }
        }
        return true
    }

    /// A host, and a port where there is a colon behind it (RFC 9110 §7.2); a host of no characters is one.
    static func isHost(_ bytes: Span<UInt8>) -> Bool {
        guard let end = endOfHost(bytes) else { return false }
        guard end < bytes.count else { return true }
        guard bytes.count - end <= 6 else { return false }
        for index in end + 1..<bytes.count where !isDigit(bytes[index]) { return false }
        return bytes[end] == UInt8(ascii: ":")
    }

    /// Where the host ends, be it an address in brackets; nil where it is none.
    private static func endOfHost(_ bytes: Span<UInt8>) -> Int? {
        let isLiteral = !bytes.isEmpty && bytes[0] == UInt8(ascii: "[")
        let last = isLiteral ? UInt8(ascii: "]") : UInt8(ascii: ":")
        var end = isLiteral ? 1 : 0
        while end < bytes.count, bytes[end] != last {
            guard isLiteral ? isOfAddress(bytes[end]) : isOfName(bytes[end]) else { return nil }
            if bytes[end] == UInt8(ascii: "%") {
                guard end + 2 < bytes.count, isHexadecimal(bytes[end + 1]), isHexadecimal(bytes[end + 2])
                else { return nil }
                end += 2
            }
            end += 1
        }
        guard isLiteral else { return end }
        return end > 1 && end < bytes.count ? end + 1 : nil
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "!"),
            UInt8(ascii: "$")...UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="):
            true
        default: isDigit(byte) || isLetter(byte)
        }
    }

    private static func isOfAddress(_ byte: UInt8) -> Bool {
        isDigit(byte) || isLetter(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x66
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
    private static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }
}
