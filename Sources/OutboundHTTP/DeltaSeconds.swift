/// Seconds in a header field (RFC 9111 §1.2.2, RFC 9110 §10.2.3): digits and nothing else.
package enum DeltaSeconds {
    /// More counts as this much, as RFC 9111 §1.2.2 has it.
    package static let longest: Int64 = 1 << 31

    /// The seconds; nil for a text that is no such number, such as one with a sign, which Swift would read.
    package static func parse(_ text: some StringProtocol) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return min(Int64(text) ?? longest, longest)
    }
}
