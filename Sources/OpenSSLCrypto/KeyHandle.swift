internal import COpenSSL

/// Owns an `EVP_PKEY`.
///
/// `@unchecked Sendable` is sound: nothing changes the key after this object holds it, and OpenSSL counts its
/// references atomically and locks the caches inside.
final class KeyHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes over a key that the caller has just made.
    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit { EVP_PKEY_free(pointer) }

    func isA(_ name: String) -> Bool { EVP_PKEY_is_a(pointer, name) == 1 }

    /// An unsigned number of the key, big-endian: padded on the left to `width`, or minimal without one.
    func number(_ name: UnsafePointer<CChar>, width: Int? = nil) -> [UInt8]? {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(pointer, name, &number) == 1 else { return nil }
        defer { BN_free(number) }
        let count = width ?? Int(BN_num_bits(number) + 7) / 8
        var bytes = [UInt8](repeating: 0, count: count)
        return BN_bn2binpad(number, &bytes, Int32(count)) == Int32(count) ? bytes : nil
    }
}
