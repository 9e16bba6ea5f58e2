internal import Glibc

/// One pointer a thread, made at its first use there and freed when the thread ends.
///
/// What it keeps are contexts of OpenSSL that are too dear to make for each call. A caller uses the pointer
/// without awaiting, so nothing else on the thread can come between.
struct ThreadLocal: Sendable {
    private let key: pthread_key_t
    private let make: @Sendable () -> UnsafeMutableRawPointer

    init(
        make: @escaping @Sendable () -> UnsafeMutableRawPointer,
        free: @convention(c) (UnsafeMutableRawPointer?) -> Void
    ) {
        var key = pthread_key_t()
        guard pthread_key_create(&key, free) == 0 else {
            fatalError("the system has no thread-specific key left")
        }
        self.key = key
        self.make = make
    }

    /// This thread's pointer.
    var pointer: UnsafeMutableRawPointer {
        if let pointer = pthread_getspecific(key) { return pointer }
        let pointer = make()
        pthread_setspecific(key, pointer)
        return pointer
    }
}
