internal import CCurl

/// libcurl's multi handle: transfers, their connections, and those that are kept for the next ones.
///
/// Sendable without the compiler's proof: one thread, the transfer thread, calls everything but `wakeUp`, which libcurl
/// lets any thread call.
final class MultiHandle: @unchecked Sendable {
    /// So many connections there may be before idle ones are closed.
    private static let maximumKept = 128
    /// A wake-up ends the wait; this long is for none that gets lost.
    private static let longestWaitMilliseconds: Int32 = 60_000

    private let pointer: UnsafeMutableRawPointer

    /// A handle that can be woken.
    init() throws(TransferError) {
        guard Self.isLibraryReady, let made = curl_multi_init() else {
            throw .failed("libcurl cannot be used")
        }
        pointer = made
        // Without descriptors left libcurl makes a handle whose wait nothing ends.
        guard curl_multi_wakeup(made) == CURLM_OK else { throw .failed("no descriptor is left") }
        auth_curl_limit_connections(made, Self.maximumKept)
    }

    deinit { curl_multi_cleanup(pointer) }

    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    /// Ends the wait, now or when it begins. For any thread.
    func wakeUp() { curl_multi_wakeup(pointer) }

    /// Takes a transfer up; false when that cannot be.
    func add(_ handle: EasyHandle) -> Bool {
        curl_multi_add_handle(pointer, handle.pointer) == CURLM_OK
    }

    /// Ends a transfer, or lets go of one that is over.
    func remove(_ handle: EasyHandle) { curl_multi_remove_handle(pointer, handle.pointer) }

    /// Reads and writes what can be without waiting; false when libcurl is in trouble.
    func perform() -> Bool {
        var running: Int32 = 0
        return curl_multi_perform(pointer, &running) == CURLM_OK
    }

    /// A transfer that is over, by its handle's pointer, and how it ended; nil when there is none.
    func nextFinished() -> (handle: UnsafeMutableRawPointer, code: CURLcode)? {
        var left: Int32 = 0
        while let message = curl_multi_info_read(pointer, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else {
                continue
            }
            return (handle, message.pointee.data.result)
        }
        return nil
    }

    /// Waits until there is something to do; false when it cannot wait.
    func wait() -> Bool {
        curl_multi_poll(pointer, nil, 0, Self.longestWaitMilliseconds, nil) == CURLM_OK
    }
}
