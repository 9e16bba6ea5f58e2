/// Where the server listens: a host and a port.
struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// A name, an IPv4 address, or an IPv6 address without brackets.
    let host: String
    /// The port; 0 lets the system choose.
    let port: UInt16

    /// Reads `HOST:PORT`, with an IPv6 address in brackets.
    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"),
            let port = Self.port(text[text.index(after: colon)...])
        else { return nil }
        let host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            self.host = String(host.dropFirst().dropLast())
            guard self.host.contains(":") else { return nil }
        } else {
            self.host = String(host)
        }
        guard (1...253).contains(self.host.utf8.count), host.hasPrefix("[") || !host.contains(":"),
            self.host.utf8.allSatisfy(Host.isAllowed)
        else { return nil }
        self.port = port
    }

    private static func port(_ text: Substring) -> UInt16? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt16(text) : nil
    }

    /// The address with another port, for one that the system chose.
    init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Whether only this machine can connect.
    var isLoopback: Bool { Host.isLoopback(host) }

    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// Host names and addresses.
enum Host {
    /// Whether a host names this machine alone: `localhost`, 127.0.0.0/8 or `::1`.
    static func isLoopback(_ host: String) -> Bool {
        if ["localhost", "::1"].contains(host) { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { isOctet($0) }
    }

    /// Whether a byte may stand in a host.
    static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: ":"):
            true
        default: false
        }
    }

    /// Digits alone and without a zero before others, which some take for octal: as guards see it.
    private static func isOctet(_ text: Substring) -> Bool {
        UInt8(text).map { String($0) == text } ?? false
    }
}
