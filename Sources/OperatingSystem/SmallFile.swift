internal import Glibc

/// A file that is read whole: a configuration, a key, a certificate. It may be a pipe.
package struct SmallFile: Sendable {
    /// Why one was not read.
    package enum Refusal: Error, Equatable, CustomStringConvertible {
        /// The system does not let it be read.
        case system(SystemError)
        /// It is a pipe, and nobody wrote into it, or whoever writes does not end.
        case unfinished
        /// It is a folder.
        case folder
        /// It is a pipe or a device, where only a regular file will do.
        case irregular
        /// It has more bytes than it may have.
        case larger(than: Int)

        /// What follows the file's name in a message.
        package var description: String {
            switch self {
            case .system(let error): "cannot be read: \(error)"
            case .unfinished: "is a pipe that was not written and closed in time"
            case .folder: "is a folder"
            case .irregular: "is no regular file"
            case .larger(let maximum): "has more than \(Self.size(maximum)): it is another file"
            }
        }

        private static func size(_ bytes: Int) -> String {
            bytes.isMultiple(of: 1 << 20) ? "\(bytes >> 20) MiB" : "\(bytes >> 10) KiB"
        }
    }

    /// What it holds.
    package let content: [UInt8]
    /// Whether its owner's group, or every user of the machine, may read it. A pipe has no readers but the one that
    /// holds it.
    package let isReadableByGroup: Bool, isReadableByAll: Bool
    /// Whether it is a regular file, and no pipe or device.
    package let isRegular: Bool

    /// Reads a file.
    /// - Parameters:
    ///   - maximumBytes: the most that it may have.
    ///   - patience: how long a pipe may take: it must not hold up a server for ever. With zero there is no wait at all: a
    ///     regular file is read as ever, a pipe only where it was written and closed.
    package init(path: String, maximumBytes: Int, patience: Duration = .seconds(5)) throws(Refusal) {
        try self.init(path, maximumBytes, patience, takesPipes: true)
    }

    /// Reads a regular file, without waiting for anybody.
    package init(regularFile path: String, maximumBytes: Int) throws(Refusal) {
        try self.init(path, maximumBytes, .zero, takesPipes: false)
    }

    private init(
        _ path: String, _ maximumBytes: Int, _ patience: Duration, takesPipes: Bool
    ) throws(Refusal) {
        let deadline = ContinuousClock.now + patience
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .system(.last) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(.last) }
        let kind = status.st_mode & S_IFMT
        guard kind != S_IFDIR else { throw .folder }
        isRegular = kind == S_IFREG
        guard isRegular || takesPipes else { throw .irregular }
        content = try Self.content(of: descriptor, maximumBytes, deadline)
        isReadableByGroup = isRegular && status.st_mode & S_IRGRP != 0
        isReadableByAll = isRegular && status.st_mode & S_IROTH != 0
    }

    private static func content(
        of descriptor: Int32, _ maximumBytes: Int, _ deadline: ContinuousClock.Instant
    ) throws(Refusal) -> [UInt8] {
        var content: [UInt8] = []
        var block = [UInt8](repeating: 0, count: min(maximumBytes + 1, 65536))
        // A pipe that nobody has opened for writing yet looks like one that was closed.
        try wait(for: descriptor, until: deadline)
        while true {
            let count = read(descriptor, &block, block.count)
            if count < 0 && (errno == EINTR || errno == EAGAIN) {
                try wait(for: descriptor, until: deadline)
                continue
            }
            guard count >= 0 else { throw .system(.last) }
            guard count > 0 else { return content }
            content += block[..<count]
            guard content.count <= maximumBytes else { throw .larger(than: maximumBytes) }
        }
    }

    private static func wait(for descriptor: Int32, until deadline: ContinuousClock.Instant) throws(Refusal) {
        let left = max(0, (deadline - .now) / .milliseconds(1))
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, Int32(left.rounded(.up))) != 0 else { throw .unfinished }
    }
}
