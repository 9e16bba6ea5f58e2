extension String {
    /// Whether both are the same characters, byte for byte. Swift's `==` takes canonically equivalent texts as
    /// equal, such as K and the Kelvin sign: identifiers are compared without that (RFC 7515 §5.3, RFC 8725 §3.8).
    package func isExactly(_ other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return utf8.span.isExactly(other.utf8.span)
    }
}
