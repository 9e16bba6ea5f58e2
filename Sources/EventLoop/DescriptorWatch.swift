internal import CEvent

/// Calls a body whenever a file descriptor is readable; ends when released.
///
/// Confined to its loop, as `Timer` is. The descriptor stays the caller's.
package final class DescriptorWatch {
    private let body: () -> Void
    private var event: OpaquePointer?

    /// Watches `descriptor` for reading.
    package init(loop: EventLoop, descriptor: Int32, _ body: @escaping () -> Void) {
        self.body = body
        event = event_new(
            loop.base, descriptor, Int16(EV_READ | EV_PERSIST),
            { _, _, context in
                guard let context else { return }
                Unmanaged<DescriptorWatch>.fromOpaque(context).takeUnretainedValue().body()
            }, Unmanaged.passUnretained(self).toOpaque())
        event_add(event, nil)
    }

    deinit {
        if let event { event_free(event) }
    }
}
