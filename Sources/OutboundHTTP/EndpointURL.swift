internal import FoundationEssentials

/// An absolute URL of a server that is trusted with credentials or for keys: https, or http on the loopback
/// interface, or http anywhere where that was asked for by name.
package struct EndpointURL: Sendable, Hashable, CustomStringConvertible {
    /// The URL as written.
    package let text: String
    /// Whether it is https.
    package let isEncrypted: Bool
    /// The host in lower case.
    package let host: String
    let url: URL

    /// Takes a text that is such a URL.
    /// - Throws: `EndpointURLError`, which says what is wrong.
    package init(_ text: String, allowsPlainHTTP: Bool = false) throws(EndpointURLError) {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), let parts = URLComponents(string: text),
            let scheme = parts.scheme?.lowercased(), let host = parts.host?.lowercased(), !host.isEmpty,
            let url = parts.url
        else { throw EndpointURLError("not an absolute http or https URL: \(text.debugDescription)") }
        guard parts.user == nil, parts.password == nil, parts.fragment == nil else {
            throw EndpointURLError("the URL must hold no user, password or fragment")
        }
        guard scheme == "https" || scheme == "http" else {
            throw EndpointURLError("the URL's scheme must be https: \(text)")
        }
        guard scheme == "https" || allowsPlainHTTP || Self.isLoopback(host) else {
            throw EndpointURLError("plain http is only for the loopback interface: use https for \(text)")
        }
        self.text = text
        self.host = host
        self.url = url
        isEncrypted = scheme == "https"
    }

    package var description: String { text }

    /// The path as written; `/` where there is none.
    package var path: String {
        let path = URLComponents(url: url, resolvingAgainstBaseURL: false)?.percentEncodedPath ?? ""
        return path.isEmpty ? "/" : path
    }

    /// Whether the host is this machine by its very name, without asking DNS.
    package static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "[::1]" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy(isOctet)
    }

    /// Digits alone and without a zero before others: `127.+0.0.1` or `127.0.0.08` would be a name, and asked of DNS.
    private static func isOctet(_ text: Substring) -> Bool {
        UInt8(text).map { String($0) == text } ?? false
    }

    /// The well-known URL of an identifier: `/.well-known/NAME` between host and path (RFC 8414 §3.1,
    /// RFC 9728 §3.1).
    package func wellKnown(_ name: String) throws(EndpointURLError) -> EndpointURL {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
            throw EndpointURLError("not a URL: \(text)")
        }
        var path = parts.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        parts.percentEncodedPath = "/.well-known/" + name + path
        return try EndpointURL(parts.string ?? "", allowsPlainHTTP: !isEncrypted)
    }
}

/// Why a text is no URL to talk to.
package struct EndpointURLError: Error, Sendable, CustomStringConvertible {
    /// What is wrong and what would be right.
    package let description: String

    init(_ description: String) { self.description = description }
}
