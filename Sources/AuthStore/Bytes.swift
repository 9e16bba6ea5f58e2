internal import OpenSSLCrypto

extension Span<UInt8> {
    /// The bytes as an array.
    func copy() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { output, initialized in
            for index in indices { output.initializeElement(at: index, to: self[index]) }
            initialized = count
        }
    }
}

extension SecretBytes {
    /// Calls `body` with the bytes: for an owner that is a class's member, whose span cannot be taken directly.
    borrowing func reading<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(span)
    }
}
