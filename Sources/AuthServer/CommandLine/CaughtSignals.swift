internal import Glibc
internal import Synchronization

/// The signals that end, stop or continue the process, kept until it has made ready for them.
///
/// A signal's handler does no more than what is safe in one: it writes the signal's number into a pipe. Who waits for
/// something else waits for that too, makes ready and raises the signal anew, with what was to happen without this.
final class CaughtSignals {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT]
    /// Where handlers write.
    private static let mailbox = Atomic<Int32>(-1)

    private let pipe: [Int32]
    private var dispositions: [Int32: __sighandler_t?] = [:]

    /// Catches nothing yet; nil where that cannot be.
    init?() {
        var pipe: [Int32] = [-1, -1]
        guard Glibc.pipe(&pipe) == 0 else { return nil }
        for end in pipe { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        self.pipe = pipe
    }

    deinit { for end in pipe { close(end) } }

    /// What can be read when a signal has come.
    var descriptor: Int32 { pipe[0] }

    func catchAll() {
        Self.mailbox.store(pipe[1], ordering: .releasing)
        for number in Self.numbers { dispositions[number] = Self.catchSignal(number) }
    }

    /// From now on signals do again what they did before.
    func putBack() {
        for (number, disposition) in dispositions { signal(number, disposition) }
        dispositions = [:]
        Self.mailbox.store(-1, ordering: .releasing)
    }

    /// The signals that came, those that end the process first: a process that was stopped would not see them. Going on
    /// takes back a stop that came before, as it does in the kernel.
    func take() -> [Int32] {
        var taken: Set<Int32> = []
        var number: UInt8 = 0
        while read(pipe[0], &number, 1) == 1 {
            if Int32(number) == SIGCONT { taken.remove(SIGTSTP) }
            taken.insert(Int32(number))
        }
        return taken.sorted()
    }

    /// Sends the signal to this thread: it has happened on return.
    static func raise(_ number: Int32) { unblocking { _ = Glibc.raise(number) } }

    /// Threads of a pool block signals, this one does not meanwhile. So when a stop is over, a signal to end that came
    /// during it ends the process in here, before anything else can stop it again.
    static func unblocking(_ body: () -> Void) {
        var signals = sigset_t()
        var before = sigset_t()
        sigemptyset(&signals)
        for number in numbers + [SIGTTIN, SIGTTOU] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_UNBLOCK, &signals, &before)
        body()
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }

    /// - Returns: what was to happen at the signal before.
    private static func catchSignal(_ number: Int32) -> __sighandler_t? {
        signal(number) { number in
            let before = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = write(CaughtSignals.mailbox.load(ordering: .acquiring), &byte, 1)
            errno = before
        }
    }
}
