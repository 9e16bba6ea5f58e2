internal import CEvent
internal import Glibc

/// A call that the loop makes once after a time, or again and again; it ends when cancelled or released.
///
/// Confined to its loop: make, cancel and release it on the loop's thread, or while the loop does not run.
public final class Timer {
    private let body: () -> Void
    private var event: OpaquePointer?

    /// Schedules `body` after `delay`; with `repeats`, again after each further `delay`.
    public init(loop: EventLoop, after delay: Duration, repeats: Bool = false, _ body: @escaping () -> Void) {
        self.body = body
        let flags = repeats ? Int16(EV_PERSIST) : 0
        event = event_new(
            loop.base, -1, flags,
            { _, _, context in
                guard let context else { return }
                Unmanaged<Timer>.fromOpaque(context).takeUnretainedValue().body()
            }, Unmanaged.passUnretained(self).toOpaque())
        restart(after: delay)
    }

    deinit { cancel() }

    /// Counts anew from now.
    public func restart(after delay: Duration) {
        guard let event else { return }
        let parts = delay.components
        var interval = timeval(
            // A year at most: libevent adds it to the time.
            tv_sec: Int(min(max(0, parts.seconds), 31_536_000)),
            tv_usec: Int(max(0, parts.attoseconds / 1_000_000_000_000)))
        event_add(event, &interval)
    }

    /// Calls no more.
    public func cancel() {
        guard let event else { return }
        event_free(event)
        self.event = nil
    }
}

extension EventLoop {
    /// Suspends the calling task, which runs on this loop, for `duration`. Not cancelled by the task's end.
    public func sleep(for duration: Duration) async {
        assertCurrent()
        var timer: Timer?
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            timer = Timer(loop: self, after: duration) { continuation.resume() }
        }
        timer?.cancel()
    }
}
