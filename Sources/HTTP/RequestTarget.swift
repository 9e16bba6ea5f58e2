/// What a request line asks for (RFC 9112 §3.2): a path and a query, or the asterisk of OPTIONS.
///
/// A scheme and an authority before the path, as one writes to a proxy, are what every server must accept
/// (§3.2.2). They are looked at and then forgotten: what this server is called its owner knows from elsewhere.
enum RequestTarget {
    /// Whether a target is of origin form, of absolute form, or the asterisk: visible ASCII alone.
    static func isWellFormed(_ text: String) -> Bool {
        let bytes = text.utf8.span
        guard !bytes.isEmpty,
            bytes[0] == UInt8(ascii: "/") || text == "*" || endOfAuthority(bytes) != nil
        else { return false }
        for index in bytes.indices {
            let byte = bytes[index]
            guard byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "#") else { return false }
        }
        return true
    }

    /// The path and the query of a well-formed target, as sent; an empty path is a slash.
    static func split(_ text: String) -> (path: String, query: String?) {
        let bytes = text.utf8.span
        guard !bytes.isEmpty, bytes[0] == UInt8(ascii: "/") else {
            return endOfAuthority(bytes).map { split(originForm(of: text, behind: $0)) } ?? (text, nil)
        }
        guard bytes.indices.contains(where: { bytes[$0] == UInt8(ascii: "?") }) else { return (text, nil) }
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), String(parts[1]))
    }

    private static func originForm(of text: String, behind end: Int) -> String {
        let rest = String(Substring(text.utf8.dropFirst(end)))
        return rest.utf8.first == UInt8(ascii: "/") ? rest : "/" + rest
    }

    // MARK: The absolute form

    /// Where the authority of an absolute form ends; nil where the target is none of http or https, or its authority
    /// is no host with or without a port. A user is not one (RFC 9110 §4.2.4), nor is an empty host (§4.2.1).
    private static func endOfAuthority(_ bytes: Span<UInt8>) -> Int? {
        guard let start = endOfScheme(bytes), start < bytes.count, bytes[start] != UInt8(ascii: ":") else {
            return nil
        }
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "/"), bytes[end] != UInt8(ascii: "?") { end += 1 }
        return end > start && Strictness.isHost(bytes.extracting(start..<end)) ? end : nil
    }

    private static func endOfScheme(_ bytes: Span<UInt8>) -> Int? {
        if begins(bytes, with: "http://") { return 7 }
        return begins(bytes, with: "https://") ? 8 : nil
    }

    /// A scheme's letters are the same in both cases (RFC 3986 §3.1).
    private static func begins(_ bytes: Span<UInt8>, with scheme: String) -> Bool {
        let scheme = scheme.utf8.span
        guard bytes.count >= scheme.count else { return false }
        for index in scheme.indices where bytes[index] != scheme[index] {
            guard scheme[index] >= UInt8(ascii: "a"), bytes[index] | 0x20 == scheme[index] else {
                return false
            }
        }
        return true
    }
}
