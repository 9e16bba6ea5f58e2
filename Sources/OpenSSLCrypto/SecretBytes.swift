internal import COpenSSL

/// Bytes that are wiped when their owner goes away: a key, a password, a decrypted secret.
///
/// Cannot be copied, printed or compared with `==`; see `ConstantTime.equal`.
public struct SecretBytes: ~Copyable, @unchecked Sendable {
    // Sendable is sound: the memory has this one owner, and nobody writes to it after the initializer.
    private let memory: UnsafeMutableBufferPointer<UInt8>

    /// A copy of these bytes; wiping the original is the caller's.
    public init(copying bytes: Span<UInt8>) {
        self.init(count: bytes.count) { memory in
            bytes.withUnsafeBufferPointer { _ = memory.update(fromContentsOf: $0) }
        }
    }

    /// This many random bytes, fit for a key.
    public init(random count: Int) {
        self.init(count: count) { memory in
            guard let start = memory.baseAddress, memory.count > 0 else { return }
            guard RAND_priv_bytes(start, Int32(clamping: memory.count)) == 1 else {
                fatalError("the random generator of OpenSSL failed: no key can be made")
            }
        }
    }

    init<Failure: Error>(
        count: Int, initialize: (UnsafeMutableBufferPointer<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        memory = .allocate(capacity: count)
        memory.initialize(repeating: 0)
        try initialize(memory)
    }

    deinit {
        OPENSSL_cleanse(memory.baseAddress, memory.count)
        memory.deallocate()
    }

    /// How many bytes there are.
    public var count: Int { memory.count }

    /// The bytes, for as long as their owner is borrowed.
    public var span: Span<UInt8> {
        @_lifetime(borrow self)
        get {
            let span = Span(_unsafeElements: UnsafeBufferPointer(memory))
            return _overrideLifetime(span, borrowing: self)
        }
    }
}
