/// The server's issuer identifier (RFC 8414 §2): an `https` or `http` URL without query and fragment.
///
/// Clients and guards compare it byte by byte (RFC 8414 §3.3), so only one spelling of a URL is taken: lower-case
/// scheme and host, and no slash at the end.
struct Issuer: Sendable, Hashable {
    /// The identifier, as it stands in `iss`.
    let value: String
    /// Whether the scheme is `https`.
    let isHTTPS: Bool
    /// The host, without brackets.
    let host: String
    /// The path: empty, or a slash and more, without a slash at the end.
    let path: String

    /// Why a text is no issuer; the raw value says what to do.
    enum Problem: String, Error {
        case scheme = "write a URL that begins with https:// (or http:// on loopback)"
        case authority = "write a host, and possibly a port, after the scheme: https://auth.example.com"
        case userInformation = "write no user name into the URL"
        case upperCase = "write scheme and host in lower case: they are compared byte by byte"
        case queryOrFragment = "write a URL without query and fragment (RFC 8414 section 2)"
        case trailingSlash = "write no slash at the end: issuers are compared byte by byte"
        case character = "write only characters that a URL may hold, and no empty or dotted path segments"
    }

    /// Reads an issuer identifier.
    init(_ text: String) throws(Problem) {
        guard let separator = text.firstRange(of: "://") else { throw .scheme }
        let scheme = text[..<separator.lowerBound]
        guard ["https", "http"].contains(scheme.lowercased()) else { throw .scheme }
        guard !text.contains("?"), !text.contains("#") else { throw .queryOrFragment }
        guard !text.hasSuffix("/") else { throw .trailingSlash }
        let rest = text[separator.upperBound...]
        let authority = rest.prefix { $0 != "/" }
        guard !authority.contains("@") else { throw .userInformation }
        guard scheme == scheme.lowercased(), authority == authority.lowercased() else { throw .upperCase }
        path = String(rest.dropFirst(authority.count))
        host = try Self.host(of: authority)
        guard Self.isPath(path) else { throw .character }
        isHTTPS = scheme == "https"
        value = text
    }

    /// The issuer of a server that only this machine reaches.
    init(loopback address: ListenAddress, isHTTPS: Bool) {
        self.isHTTPS = isHTTPS
        host = address.host
        path = ""
        value = "\(isHTTPS ? "https" : "http")://\(address)"
    }

    /// Whether the host names this machine alone.
    var isLoopback: Bool { Host.isLoopback(host) }

    private static func host(of authority: Substring) throws(Problem) -> String {
        let hasPort = !authority.hasSuffix("]") && authority.contains(":")
        guard let address = ListenAddress(hasPort ? String(authority) : "\(authority):443"), address.port != 0
        else { throw .authority }
        return address.host
    }

    private static func isPath(_ path: String) -> Bool {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        return segments.allSatisfy { segment in
            !["", ".", ".."].contains(segment) && segment.utf8.allSatisfy(isPathByte)
        }
    }

    private static func isPathByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
