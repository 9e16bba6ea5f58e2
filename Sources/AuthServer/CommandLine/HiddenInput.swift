internal import Glibc

/// A question on the terminal of standard input whose answer is not shown while it is typed.
///
/// First it is hidden what is typed, then it is asked: nothing that is typed after the question is shown or lost. What
/// was typed before is dropped, since it was for something else, and so is an answer that a signal interrupts: the
/// terminal is set right before the signal ends or stops the process, and when that goes on, it asks again.
final class HiddenInput {
    enum Failure: Error {
        /// The terminal is not ours, or cannot be set.
        case unreadable
        /// Another process asks on the terminal.
        case taken
    }

    private let question: [UInt8]
    private let signals: CaughtSignals
    /// How the terminal was before.
    private var shown: termios?
    /// Held while the terminal hides.
    private var turn: TerminalTurn?
    private var isAsked = false
    private var line: [UInt8] = []

    /// Hides what is typed from now on.
    init(_ question: String) throws(Failure) {
        guard let signals = CaughtSignals() else { throw .unreadable }
        self.question = Array(question.utf8)
        self.signals = signals
        try hide()
    }

    /// Asks, and reads one line; nil when there is none or it is too long. The terminal shows again what is typed, also
    /// when this throws.
    func answer() throws(Failure) -> [UInt8]? {
        while true {
            let isComplete = try readLine()
            let numbers = signals.take()
            // What came together with a stop was for whom the terminal went to.
            guard !numbers.contains(SIGTSTP) else {
                try carryOut(numbers)
                continue
            }
            // What is typed behind the line is for whoever reads next.
            show(dropping: !isComplete)
            for number in numbers + signals.take() { CaughtSignals.raise(number) }
            return isComplete ? line : nil
        }
    }

    /// One byte a call, so that nothing behind the line is taken from whoever reads next.
    private func readLine() throws(Failure) -> Bool {
        while line.count < 65_536 {
            try waitForInput()
            var byte: UInt8 = 0
            let count = read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return count == 0 && !line.isEmpty }
            if byte == UInt8(ascii: "\n") { return true }
            line.append(byte)
        }
        return false
    }

    /// Waits until something can be read, and asks as soon as that can be written. A signal that comes first is carried
    /// out: the process may go on after it, as it does when it was stopped.
    private func waitForInput() throws(Failure) {
        while true {
            var watched = [
                pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isAsked ? -1 : STDERR_FILENO, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&watched, 3, -1)
            if count < 0, errno == EINTR { continue }
            if count > 0, watched[0].revents != 0 {
                try carryOut(signals.take())
            } else if count > 0, watched[1].revents != 0 {
                isAsked = true
                _ = write(STDERR_FILENO, question, question.count)
            } else if Self.isInForeground {
                return
            } else {
                try carryOut([])
            }
        }
    }

    private func carryOut(_ numbers: [Int32]) throws(Failure) {
        if numbers == [SIGCONT], isHiding { return }
        show(dropping: true)
        for number in (numbers + signals.take()).sorted() { CaughtSignals.raise(number) }
        try hide()
    }

    private var isHiding: Bool {
        var state = termios()
        return Self.isInForeground && tcgetattr(STDIN_FILENO, &state) == 0
            && state.c_lflag & tcflag_t(ECHO) == 0
    }

    private func hide() throws(Failure) {
        turn = try Self.takeTurn()
        isAsked = false
        line = []
        var state = termios()
        guard tcgetattr(STDIN_FILENO, &state) == 0 else { throw .unreadable }
        let shown = shown ?? state
        self.shown = shown
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        signals.catchAll()
        guard Self.set(hidden, dropping: true) else {
            show(dropping: true)
            throw .unreadable
        }
    }

    /// In the background the terminal is somebody else's, who has set it: it stays as it is.
    private func show(dropping: Bool) {
        if let shown, Self.isInForeground { Self.set(shown, dropping: dropping) }
        signals.putBack()
        turn = nil
    }

    /// Does not wait for what is being printed: who has stopped that may want to end this.
    @discardableResult
    private static func set(_ state: termios, dropping: Bool) -> Bool {
        var state = state
        var isSet = false
        CaughtSignals.unblocking {
            isSet = tcsetattr(STDIN_FILENO, TCSANOW, &state) == 0
            if dropping { tcflush(STDIN_FILENO, TCIFLUSH) }
        }
        return isSet
    }

    /// Stops the process until it has the terminal: how that is set in the meantime says nothing of it. Not for ever,
    /// since where nobody can continue it, it is not stopped.
    private static func takeTurn() throws(Failure) -> TerminalTurn {
        for _ in 0..<10 {
            guard isInForeground else {
                CaughtSignals.raise(SIGTTIN)
                continue
            }
            guard let turn = TerminalTurn.take() else { throw .taken }
            if isInForeground { return turn }
        }
        throw .unreadable
    }

    /// A terminal that controls nobody has no foreground.
    private static var isInForeground: Bool {
        let owner = tcgetpgrp(STDIN_FILENO)
        return owner <= 0 || owner == getpgrp()
    }
}
