internal import Glibc

/// The console of the process: its three standard descriptors.
final class SystemConsole: Console {
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

    func write(_ text: String) -> Bool { write(text, to: STDOUT_FILENO) }

    func writeMessage(_ text: String) { _ = write(text, to: STDERR_FILENO) }

    private func readChunk(_ size: Int) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: size)
        while true {
            let count = read(STDIN_FILENO, &buffer, size)
            if count >= 0 { return Array(buffer.prefix(count)) }
            if errno != EINTR { return nil }
        }
    }

    private func write(_ text: String, to descriptor: Int32) -> Bool {
        var rest = Array(text.utf8)
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest, rest.count)
            if count < 0, errno != EINTR { return false }
            rest.removeFirst(max(0, count))
        }
        return true
    }
}
