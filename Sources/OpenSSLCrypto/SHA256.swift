internal import COpenSSL

/// The SHA-256 hash (FIPS 180-4).
public enum SHA256 {
    /// How many bytes a digest has.
    public static let byteCount = 32

    /// The digest of these bytes.
    public static func digest(_ bytes: Span<UInt8>) -> [UInt8] { digest(bytes, after: nil) }

    /// The digest of these bytes, of which those of `beginning` come first and are not hashed again.
    package static func digest(_ bytes: Span<UInt8>, after beginning: Beginning?) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { output, count in
            hash(bytes, after: beginning, into: output.baseAddress)
            count = byteCount
        }
    }

    /// The digest of these bytes.
    public static func digest(_ bytes: [UInt8]) -> [UInt8] { digest(bytes.span) }

    /// The digest of both, one after the other, without joining them: a salt and a secret.
    public static func digest(_ first: Span<UInt8>, _ second: Span<UInt8>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { output, count in
            let context = startedContext()
            update(context, first)
            update(context, second)
            finish(context, into: output.baseAddress)
            count = byteCount
        }
    }

    /// Writes the digest of `bytes` to 32 bytes at `output`.
    /// - Parameter beginning: what `bytes` begin with, which is not hashed again.
    static func hash(
        _ bytes: Span<UInt8>, after beginning: Beginning?, into output: UnsafeMutablePointer<UInt8>?
    ) {
        let context: OpaquePointer
        if let beginning {
            context = OpaquePointer(contexts.pointer)
            beginning.copy(to: context)
            update(context, bytes.extracting(droppingFirst: beginning.byteCount))
        } else {
            context = startedContext()
            update(context, bytes)
        }
        finish(context, into: output)
    }

    private static let contexts = ThreadLocal(
        make: {
            guard let context = EVP_MD_CTX_new(),
                EVP_DigestInit_ex2(context, Fetched.sha256.method, nil) == 1
            else { fatalError("no memory for a digest") }
            return UnsafeMutableRawPointer(context)
        },
        free: { EVP_MD_CTX_free($0.map(OpaquePointer.init)) })

    // The three calls cannot fail once the algorithm was fetched, short of memory corruption. A wrong digest
    // must never be used, so that they end the process all the same.
    private static func startedContext() -> OpaquePointer {
        let context = OpaquePointer(contexts.pointer)
        // Without a method it starts the one that it has.
        precondition(EVP_DigestInit_ex2(context, nil, nil) == 1, "SHA-256 could not start")
        return context
    }

    static func update(_ context: OpaquePointer?, _ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { bytes in
            precondition(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1, "SHA-256 failed")
        }
    }

    private static func finish(_ context: OpaquePointer, into output: UnsafeMutablePointer<UInt8>?) {
        precondition(EVP_DigestFinal_ex(context, output, nil) == 1, "SHA-256 could not end")
    }
}
