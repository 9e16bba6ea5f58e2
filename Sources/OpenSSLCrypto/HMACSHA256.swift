internal import COpenSSL

/// HMAC with SHA-256 (RFC 2104).
public enum HMACSHA256 {
    /// The authentication code of `message` under `key`: 32 bytes.
    public static func code(key: Span<UInt8>, message: Span<UInt8>) -> [UInt8] {
        let context = OpaquePointer(contexts.pointer)
        start(context, key)
        message.withUnsafeBufferPointer { message in
            precondition(EVP_MAC_update(context, message.baseAddress, message.count) == 1, "HMAC failed")
        }
        return [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { output, count in
            precondition(
                EVP_MAC_final(context, output.baseAddress, &count, SHA256.byteCount) == 1,
                "HMAC could not end")
        }
    }

    private static func start(_ context: OpaquePointer, _ key: Span<UInt8>) {
        // An empty key needs an address all the same: without one OpenSSL takes the key of the call before.
        var none: UInt8 = 0
        key.withUnsafeBufferPointer { key in
            let started =
                key.isEmpty
                ? EVP_MAC_init(context, &none, 0, nil)
                : EVP_MAC_init(context, key.baseAddress, key.count, nil)
            precondition(started == 1, "HMAC could not start")
        }
    }

    private static let contexts = ThreadLocal(
        make: {
            guard let context = EVP_MAC_CTX_new(Fetched.hmac.method) else { fatalError("no memory for HMAC") }
            var name = Array("SHA2-256".utf8CString)
            name.withUnsafeMutableBufferPointer { name in
                let parameters = [
                    OSSL_PARAM_construct_utf8_string(ParameterName.digest, name.baseAddress, 0),
                    OSSL_PARAM_construct_end(),
                ]
                precondition(EVP_MAC_CTX_set_params(context, parameters) == 1, "HMAC has no SHA-256")
            }
            return UnsafeMutableRawPointer(context)
        },
        free: { EVP_MAC_CTX_free($0.map(OpaquePointer.init)) })
}
