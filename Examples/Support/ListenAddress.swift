/// Where a service listens: `127.0.0.1:8081` or `[::1]:8081`.
public struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// The host, without brackets.
    public let host: String
    /// The port.
    public let port: Int

    /// Takes a text of host and port.
    public init(_ text: String) throws(UsageError) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]),
            port > 0, colon > text.startIndex
        else { throw UsageError("not HOST:PORT: \(text.debugDescription)") }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        self.host = String(host)
        self.port = Int(port)
    }

    /// As it is written in a URL.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
