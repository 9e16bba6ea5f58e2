/// What the engine underneath lets through and a security product must not: decided here, over values alone.
///
/// Smuggling needs two readings of one request (RFC 9112 §11.2), so anything that two parsers may read in
/// two ways is refused and the connection closed.
enum Strictness {
    /// Why a request is not served.
    struct Refusal: Equatable {
        let status: Int
        let reason: String
    }

    /// Checks a header block that has arrived.
    /// - Parameters:
    ///   - version: `HTTP/1.0` or `HTTP/1.1`, as sent.
    ///   - isWhole: whether the block holds nothing besides what is given here.
    static func refusal(
        method: String, target: String, version: String, fields: [HTTPField], headerBytes: Int,
        isWhole: Bool, limits: HTTPServerConfiguration
    ) -> Refusal? {
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            return Refusal(status: 505, reason: "only HTTP/1.1 and HTTP/1.0 are spoken here")
        }
        guard headerBytes <= limits.maximumHeaderBytes else {
            return Refusal(status: 431, reason: "the header block is too large")
        }
        guard isWhole else {
            return Refusal(status: 400, reason: "a header line is folded, has a NUL, or has no CRLF")
        }
        guard isToken(method) else { return Refusal(status: 400, reason: "the method is not a token") }
        guard isTarget(target) else { return Refusal(status: 400, reason: "the request target is malformed") }
        guard fields.allSatisfy({ isToken($0.name) }) else {
            return Refusal(status: 400, reason: "a field name is not a token")
        }
        guard fields.allSatisfy({ isValue($0.value) }) else {
            return Refusal(status: 400, reason: "a field value has a control character")
        }
        return hostRefusal(version: version, fields: fields) ?? lengthRefusal(fields: fields, limits: limits)
    }

    /// The host rule of RFC 9112 §3.2: exactly one Host in HTTP/1.1, at most one in HTTP/1.0, and a valid one.
    private static func hostRefusal(version: String, fields: [HTTPField]) -> Refusal? {
        let hosts = fields.filter { $0.isNamed("host") }
        guard hosts.count == 1 || (hosts.isEmpty && version == "HTTP/1.0") else {
            return Refusal(status: 400, reason: "there must be exactly one Host field")
        }
        guard hosts.allSatisfy({ isHost($0.value) }) else {
            return Refusal(status: 400, reason: "the Host field is not a host with or without a port")
        }
        return nil
    }

    /// The framing rules of RFC 9112 §6: one Content-Length of digits, no transfer coding.
    private static func lengthRefusal(fields: [HTTPField], limits: HTTPServerConfiguration) -> Refusal? {
        var length: String?
        var isCoded = false
        for field in fields {
            if field.isNamed("content-length") {
                guard length == nil else {
                    return Refusal(status: 400, reason: "there is more than one Content-Length")
                }
                length = field.value
            } else if field.isNamed("transfer-encoding") {
                isCoded = true
            }
        }
        if isCoded {
            return length == nil
                ? Refusal(status: 411, reason: "send the body with a Content-Length")
                : Refusal(status: 400, reason: "Content-Length and Transfer-Encoding exclude each other")
        }
        guard let length else { return nil }
        guard !length.isEmpty, length.utf8.allSatisfy(isDigit) else {
            return Refusal(status: 400, reason: "the Content-Length is not a number")
        }
        guard let bytes = Int(length), bytes <= limits.maximumBodyBytes else {
            return Refusal(status: 413, reason: "the body is too large")
        }
        return nil
    }

    /// A token of RFC 9110 §5.6.2.
    static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { tokenBytes[Int($0)] }
    }

    private static let tokenBytes: [Bool] = {
        var table = [Bool](repeating: false, count: 256)
        for byte in "!#$%&'*+-.^_`|~".utf8 { table[Int(byte)] = true }
        for byte in UInt8(ascii: "0")...UInt8(ascii: "9") { table[Int(byte)] = true }
        for byte in UInt8(ascii: "a")...UInt8(ascii: "z") { table[Int(byte)] = true }
        for byte in UInt8(ascii: "A")...UInt8(ascii: "Z") { table[Int(byte)] = true }
        return table
    }()

    /// A field value has no control character besides the tab (RFC 9110 §5.5).
    static func isValue(_ text: String) -> Bool {
        let bytes = text.utf8Span.span
        for index in bytes.indices where bytes[index] < 0x20 || bytes[index] == 0x7F {
            guard bytes[index] == 0x09 else { return false }
        }
        return true
    }

    /// A host, and a port where there is a colon behind it (RFC 9110 §7.2); a host of no characters is one.
    static func isHost(_ text: String) -> Bool {
        let isLiteral = text.utf8.first == UInt8(ascii: "[")
        let host = isLiteral ? text.prefix { $0 != "]" } + "]" : text.prefix { $0 != ":" }
        let port = text.dropFirst(host.count)
        let others = isLiteral ? "[:]." : "-._~%!$&'()*+,;="
        return text.hasPrefix(host) && (port.isEmpty || port.hasPrefix(":"))
            && port.dropFirst().utf8.allSatisfy(isDigit)
            && host.utf8.allSatisfy { isDigit($0) || isLetter($0) || others.utf8.contains($0) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
    private static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }

    /// Origin form, or the asterisk of OPTIONS: visible ASCII alone (RFC 9112 §3.2).
    private static func isTarget(_ text: String) -> Bool {
        (text.utf8.first == UInt8(ascii: "/") || text == "*")
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }
    }
}
