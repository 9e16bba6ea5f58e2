internal import COpenSSL
internal import Glibc
internal import Synchronization

/// Random bytes that nobody can predict, from OpenSSL's generator.
///
/// Each thread keeps a buffer, because a call of the generator costs about a microsecond whatever its size.
/// For keys use `SecretBytes(random:)`, which keeps nothing.
public enum SecureRandom {
    /// This many random bytes.
    public static func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        append(count, to: &bytes)
        return bytes
    }

    /// Appends this many random bytes.
    public static func append(_ count: Int, to output: inout [UInt8]) {
        guard count <= RandomBuffer.capacity / 8 else {
            output += [UInt8](unsafeUninitializedCapacity: count) { memory, initialized in
                RandomBuffer.generate(memory.baseAddress, count)
                initialized = count
            }
            return
        }
        let buffer = buffers.pointer.assumingMemoryBound(to: RandomBuffer.self)
        buffer.pointee.take(count) { output.append(contentsOf: $0) }
    }

    private static let buffers = ThreadLocal(
        make: {
            _ = forks
            let buffer = UnsafeMutablePointer<RandomBuffer>.allocate(capacity: 1)
            buffer.initialize(to: RandomBuffer())
            return UnsafeMutableRawPointer(buffer)
        },
        free: { pointer in
            guard let buffer = pointer?.assumingMemoryBound(to: RandomBuffer.self) else { return }
            buffer.pointee.free()
            buffer.deallocate()
        })

    /// How often this process is the child of a fork: a child must not hand out its parent's bytes.
    fileprivate static let generation = Atomic<Int>(0)
    private static let forks: Void = {
        pthread_atfork(nil, nil) { SecureRandom.generation.add(1, ordering: .relaxed) }
    }()
}

/// Random bytes in store, wiped as they are handed out.
private struct RandomBuffer {
    static let capacity = 4096
    private let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: capacity)
    private var used = capacity
    private var generation = 0

    mutating func take(_ count: Int, _ body: (UnsafeMutableBufferPointer<UInt8>.SubSequence) -> Void) {
        let current = SecureRandom.generation.load(ordering: .relaxed)
        if used + count > Self.capacity || generation != current {
            Self.generate(memory.baseAddress, Self.capacity)
            used = 0
            generation = current
        }
        let taken = memory[used..<used + count]
        body(taken)
        OPENSSL_cleanse(memory.baseAddress.map { $0 + used }, count)
        used += count
    }

    func free() {
        OPENSSL_cleanse(memory.baseAddress, Self.capacity)
        memory.deallocate()
    }

    static func generate(_ start: UnsafeMutablePointer<UInt8>?, _ count: Int) {
        guard RAND_bytes(start, Int32(clamping: count)) == 1 else {
            fatalError("the random generator of OpenSSL failed: no token can be made")
        }
    }
}
