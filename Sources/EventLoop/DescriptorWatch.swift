internal import CEvent

/// Calls a body whenever a file descriptor is ready; ends when cancelled or released.
///
/// Confined to its loop, as `Timer` is. The descriptor stays the caller's, who ends the watch before closing it.
package final class DescriptorWatch {
    /// What a descriptor is watched for.
    package enum Interest {
        /// Bytes, a connection, or the end of the stream can be read.
        case reading
        /// Bytes can be written, or a connection attempt has ended.
        case writing
    }

    private let loop: EventLoop
    private let body: () -> Void
    private var event: OpaquePointer?

    /// Watches `descriptor`; level-triggered: the body is called until the descriptor is ready no more.
    package init(
        loop: EventLoop, descriptor: Int32, for interest: Interest = .reading, _ body: @escaping () -> Void
    ) {
        self.loop = loop
        self.body = body
        let kind = interest == .reading ? EV_READ : EV_WRITE
        event = event_new(
            loop.base, descriptor, Int16(kind | EV_PERSIST),
            { _, _, context in
                guard let context else { return }
                Unmanaged<DescriptorWatch>.fromOpaque(context).takeUnretainedValue().call()
            }, Unmanaged.passUnretained(self).toOpaque())
        event_add(event, nil)
    }

    deinit { cancel() }

    private func call() {
        loop.noteEvent()
        body()
    }

    /// Watches no more.
    package func cancel() {
        guard let event else { return }
        event_free(event)
        self.event = nil
    }
}
