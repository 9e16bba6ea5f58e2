internal import CEvent

/// Calls a body on the loop whenever the process gets a signal; ends when released. One loop a process.
///
/// Confined to its loop, as `Timer` is.
public final class SignalWatch {
    private let body: () -> Void
    private var event: OpaquePointer?

    /// Watches for `signal`, such as `SIGTERM`.
    public init(loop: EventLoop, signal: Int32, _ body: @escaping () -> Void) {
        self.body = body
        event = event_new(
            loop.base, signal, Int16(EV_SIGNAL | EV_PERSIST),
            { _, _, context in
                guard let context else { return }
                Unmanaged<SignalWatch>.fromOpaque(context).takeUnretainedValue().body()
            }, Unmanaged.passUnretained(self).toOpaque())
        event_add(event, nil)
    }

    deinit {
        if let event { event_free(event) }
    }
}
