internal import Glibc

/// The turn to hide what is typed on the terminal of standard input: one process has it at a time. Two that hide would
/// each take what the other has set for the terminal's own state, and one that ends would show what is typed to the other.
///
/// It is a lock on the directory that /proc has for the leader of the terminal's session. Unlike the terminal itself,
/// that is the same file by whatever name the terminal was opened, and may be opened by whomever the process runs as.
/// The lock ends with the process. Where there is no such directory, each has the turn: the terminal controls nobody,
/// or the system hides other users' processes.
struct TerminalTurn: ~Copyable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Takes the turn. Whoever has it may be about to end, so it is waited for, for a second.
    /// - Returns: nil when another process keeps it.
    static func take() -> TerminalTurn? {
        let session = tcgetsid(STDIN_FILENO)
        let path = "/proc/\(session)"
        let turn = TerminalTurn(session > 0 ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1)
        for _ in 0..<20 {
            if flock(turn.descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return turn }
            poll(nil, 0, 50)
        }
        return nil
    }
}
