internal import COpenSSL

/// Comparison of secrets.
public enum ConstantTime {
    /// Whether both hold the same bytes. The time depends on the lengths alone, which are not secret.
    public static func equal(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        return left.withUnsafeBufferPointer { left in
            right.withUnsafeBufferPointer { right in
                left.isEmpty || CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
            }
        }
    }

    /// Whether both hold the same bytes, in a time that depends on the lengths alone.
    public static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool { equal(left.span, right.span) }
}
