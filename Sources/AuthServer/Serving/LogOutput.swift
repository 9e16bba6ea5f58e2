import Glibc

/// Writes whole lines to a descriptor, which may be one that does not wait: a line that was begun is finished before
/// anything else is written.
///
/// For one thread alone, which waits here for a reader.
struct LogOutput {
    private let descriptor: Int32
    /// The rest of a line whose beginning was written, where the write failed then.
    private var begun: [UInt8] = []

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Writes lines, each of which ends in a line feed.
    /// - Returns: how many were lost, because the descriptor cannot be written.
    mutating func write(_ lines: [UInt8]) -> Int {
        var isBegun = !begun.isEmpty
        var rest = isBegun ? (begun + lines)[...] : lines[...]
        begun = []
        while !rest.isEmpty {
            let chunk = Array(rest.prefix(65536))
            let count = Glibc.write(descriptor, chunk, chunk.count)
            if count > 0 {
                isBegun = chunk[count - 1] != Self.lineFeed
                rest = rest.dropFirst(count)
            } else if count == 0 || errno != EINTR && errno != EAGAIN {
                return giveUp(rest, isBegun: isBegun)
            } else if errno == EAGAIN {
                waitForReader()
            }
        }
        return 0
    }

    /// Keeps the line that was begun.
    private mutating func giveUp(_ rest: ArraySlice<UInt8>, isBegun: Bool) -> Int {
        var rest = rest
        if isBegun, let end = rest.firstIndex(of: Self.lineFeed) {
            begun = Array(rest[...end])
            rest = rest[(end + 1)...]
        }
        return Self.count(rest)
    }

    /// How many lines there are.
    static func count(_ lines: ArraySlice<UInt8>) -> Int { lines.count { $0 == lineFeed } }

    static let lineFeed = UInt8(ascii: "\n")

    /// Waits for a second at most, and for a millisecond at least: some are told to be ready and are not.
    private func waitForReader() {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&waiting, 1, 1000)
        usleep(1000)
    }
}
