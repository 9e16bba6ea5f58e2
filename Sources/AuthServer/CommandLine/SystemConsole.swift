internal import Glibc

/// The console of the process: its three standard descriptors, also where another process made them such that do not
/// wait.
final class SystemConsole: Console {
    private let input: Int32
    private let output: Int32
    /// How long standard output may take nothing, in milliseconds, where it does not wait by itself.
    private let patience: Int32

    init(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, patience: Int32 = 10_000) {
        (self.input, self.output, self.patience) = (input, output, patience)
    }

    let inputIsTerminal = isatty(STDIN_FILENO) == 1
    let outputIsTerminal = isatty(STDOUT_FILENO) == 1
    let errorIsTerminal = isatty(STDERR_FILENO) == 1

    func readAll(limit: Int) -> [UInt8]? {
        var result: [UInt8] = []
        while true {
            guard let chunk = readChunk(4096) else { return nil }
            if chunk.isEmpty { return result }
            result += chunk
            if result.count > limit { return nil }
        }
    }

    /// One byte a call, so that nothing behind the line is taken from whoever reads next.
    func readLine() -> [UInt8]? {
        var line: [UInt8] = []
        while line.count < 65_536 {
            guard let byte = readChunk(1) else { return nil }
            guard let byte = byte.first else { return line.isEmpty ? nil : line }
            if byte == UInt8(ascii: "\n") { return line }
            line.append(byte)
        }
        return nil
    }

    func readHiddenLine(_ question: String) throws(CommandError) -> [UInt8]? {
        do throws(HiddenInput.Failure) {
            let input = try HiddenInput(question)
            defer { writeMessage("\n") }
            return try input.answer()
        } catch {
            switch error {
            case .unreadable: return nil
            case .taken:
                throw CommandError(
                    .refused, "another command asks for a secret on this terminal",
                    hint: "wait for its end, or bring the secret through a pipe")
            }
        }
    }

    func write(_ text: String) -> Bool { write(text, to: output) }

    func writeMessage(_ text: String) { _ = write(text, to: STDERR_FILENO) }

    private func readChunk(_ size: Int) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: size)
        while true {
            let count = read(input, &buffer, size)
            if count >= 0 { return Array(buffer.prefix(count)) }
            guard errno == EINTR || errno == EAGAIN && waits(for: input, POLLIN, milliseconds: -1) else {
                return nil
            }
        }
    }

    private func write(_ text: String, to descriptor: Int32) -> Bool {
        var rest = Array(text.utf8)
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest, rest.count)
            guard
                count >= 0 || errno == EINTR
                    || errno == EAGAIN && waits(for: descriptor, POLLOUT, milliseconds: patience)
            else { return false }
            rest.removeFirst(max(0, count))
        }
        return true
    }

    private func waits(for descriptor: Int32, _ event: Int32, milliseconds: Int32) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        let count = poll(&waiting, 1, milliseconds)
        return count > 0 || count < 0 && errno == EINTR
    }
}
