internal import Glibc
internal import Synchronization

/// Keeps the terminal on standard input from showing what is typed, and lets it be shown again before a signal ends
/// or stops the process.
///
/// A signal's handler does no more than what is safe in one: it writes the signal's number into a pipe. Who waits for
/// input waits for that too, sets the terminal right and raises the signal anew, with what was to happen without this.
final class HiddenInput {
    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT]
    /// Where handlers write.
    private static let mailbox = Atomic<Int32>(-1)

    private let shown: termios
    private let pipe: [Int32]
    private var dispositions: [Int32: __sighandler_t?] = [:]

    /// Hides what is typed from now on; nil where that cannot be.
    init?() {
        Self.waitForForeground()
        var shown = termios()
        var pipe: [Int32] = [-1, -1]
        guard tcgetattr(STDIN_FILENO, &shown) == 0, Glibc.pipe(&pipe) == 0 else { return nil }
        for end in pipe { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        self.shown = shown
        self.pipe = pipe
        Self.mailbox.store(pipe[1], ordering: .releasing)
        for number in Self.signals { dispositions[number] = Self.catchSignal(number) }
        hide()
    }

    /// Shows what is typed again. A signal that came meanwhile is carried out.
    func end() {
        show()
        for number in Self.signals { putBack(number) }
        while let number = nextSignal() { Self.raise(number) }
        Self.mailbox.store(-1, ordering: .releasing)
        for end in pipe { close(end) }
    }

    /// Waits until something can be read. A signal that comes first is carried out: the process may go on after it,
    /// as it does when it was stopped.
    func waitForInput() {
        var watched = [STDIN_FILENO, pipe[0]].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while true {
            let count = poll(&watched, 2, -1)
            if count < 0, errno == EINTR { continue }
            guard count > 0, watched[1].revents != 0 else { return }
            while let number = nextSignal() { carryOut(number) }
        }
    }

    private func carryOut(_ number: Int32) {
        show()
        putBack(number)
        Self.raise(number)
        dispositions[number] = Self.catchSignal(number)
        hide()
    }

    private func nextSignal() -> Int32? {
        var number: UInt8 = 0
        return read(pipe[0], &number, 1) == 1 ? Int32(number) : nil
    }

    private func hide() {
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        Self.set(hidden)
    }

    private func show() { Self.set(shown) }

    /// In the background the terminal is somebody else's: the process is stopped there, as at any other attempt.
    private static func set(_ state: termios) {
        var state = state
        unblocking(SIGTTOU) {
            while tcsetattr(STDIN_FILENO, TCSAFLUSH, &state) != 0, errno == EINTR {}
        }
    }

    /// Stops the process until it has the terminal: how that is set in the meantime says nothing of it. Not for ever,
    /// since where nobody can continue it, it is not stopped. A terminal that controls nobody has no foreground.
    private static func waitForForeground() {
        for _ in 0..<10 {
            let owner = tcgetpgrp(STDIN_FILENO)
            guard owner > 0, owner != getpgrp() else { return }
            raise(SIGTTIN)
        }
    }

    private func putBack(_ number: Int32) {
        if let disposition = dispositions[number] { signal(number, disposition) }
    }

    /// - Returns: what was to happen at the signal before.
    private static func catchSignal(_ number: Int32) -> __sighandler_t? {
        signal(number) { number in
            let before = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = write(HiddenInput.mailbox.load(ordering: .acquiring), &byte, 1)
            errno = before
        }
    }

    /// Sends the signal to this thread, which may block it as threads of a pool do: it has happened on return.
    private static func raise(_ number: Int32) { unblocking(number) { _ = Glibc.raise(number) } }

    private static func unblocking(_ number: Int32, _ body: () -> Void) {
        var signals = sigset_t()
        var before = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, &before)
        body()
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}
