internal import CCurl
internal import Dispatch
internal import Glibc
internal import Synchronization

/// The one thread of the process that runs libcurl, and the way to it.
final class TransferThread: Sendable {
    enum Command: Sendable {
        case start(Transfer)
        case abandon(Transfer)
    }

    /// The thread takes commands at each turn: so many only gather when it is held up.
    private static let maximumCommands = 8192

    private struct Inbox {
        var commands: [Command] = []
        var isClosed = false
    }

    private static let shared = Mutex<TransferThread?>(nil)

    private let multi: MultiHandle
    private let inbox = Mutex(Inbox())
    private let hasEnded = DispatchSemaphore(value: 0)

    private init() throws(TransferError) {
        multi = try MultiHandle()
        guard spawn(self) else { throw .failed("no thread is left") }
    }

    /// The thread, which the first request starts.
    static func running() throws(TransferError) -> TransferThread {
        let result = shared.withLock { shared -> Result<TransferThread, TransferError> in
            if let shared { return .success(shared) }
            return Result { () throws(TransferError) in
                let made = try TransferThread()
                // Before OpenSSL's own handler, which was set earlier: it takes away what the thread uses.
                atexit { TransferThread.stop() }
                shared = made
                return made
            }
        }
        return try result.get()
    }

    /// Tells the thread, where it runs, that nobody waits for a transfer any more.
    static func abandon(_ transfer: Transfer) { shared.withLock { $0 }?.post(.abandon(transfer)) }

    /// Hands a transfer to the thread.
    func start(_ transfer: Transfer) throws(TransferError) {
        guard inbox.withLock({ $0.commands.count < Self.maximumCommands }) else { throw .overloaded }
        post(.start(transfer))
    }

    private func post(_ command: Command) {
        // Who adds to a box that is not empty need not wake: the one before did.
        let isFirst = inbox.withLock { inbox in
            inbox.commands.append(command)
            return inbox.commands.count == 1
        }
        if isFirst { multi.wakeUp() }
    }

    /// At the end of the process: the thread stops where it is, and waits for no answer.
    private static func stop() {
        guard let thread = shared.withLock({ $0 }) else { return }
        thread.inbox.withLock { $0.isClosed = true }
        thread.multi.wakeUp()
        _ = thread.hasEnded.wait(timeout: .now() + 1)
    }

    fileprivate func run() {
        auth_curl_name_thread("outbound-http")
        let loop = TransferLoop(multi)
        while deliver(to: loop) { loop.turn() }
        hasEnded.signal()
        // The process ends: nothing is freed under it any more.
        withExtendedLifetime(loop) { while true { pause() } }
    }

    /// Hands over what is in the box; false when it is closed.
    private func deliver(to loop: TransferLoop) -> Bool {
        let taken = inbox.withLock { inbox in
            defer { inbox.commands = [] }
            return inbox
        }
        for command in taken.commands { loop.obey(command) }
        return !taken.isClosed
    }
}

/// Starts the thread. Signals are for the threads of whoever uses the library; a broken pipe is not to end it.
private func spawn(_ start: TransferThread) -> Bool {
    var (blocked, before) = (sigset_t(), sigset_t())
    sigfillset(&blocked)
    // What the thread itself causes is not to be held back.
    for signal in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP] { sigdelset(&blocked, signal) }
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let context = Unmanaged.passRetained(start)
    var thread = pthread_t()
    let status = pthread_create(
        &thread, nil,
        { context in
            guard let context else { return nil }
            Unmanaged<TransferThread>.fromOpaque(context).takeRetainedValue().run()
            return nil
        }, context.toOpaque())
    guard status == 0 else {
        context.release()
        return false
    }
    pthread_detach(thread)
    return true
}
