import AuthStore
import Glibc

/// One of the two files that TLS is served with, as it was read.
struct TLSFile: Sendable {
    /// What it is to hold; the raw value is its name for a person.
    enum Role: String, Sendable {
        case certificate = "TLS certificate"
        case key = "TLS key"
    }

    /// What it is to hold.
    let role: Role
    /// Where it is, as it was given.
    let path: String
    /// What it holds.
    let content: [UInt8]
    /// Whether every user of the machine may read it.
    let isReadableByAll: Bool

    /// What messages call it.
    var name: String { Self.name(role, path) }

    /// The most that it may have, in bytes.
    static let maximumBytes = 1 << 20

    /// A file with this content.
    init(_ role: Role, path: String, content: [UInt8], isReadableByAll: Bool = false) {
        self.role = role
        self.path = path
        self.content = content
        self.isReadableByAll = isReadableByAll
    }

    /// Reads a file.
    init(_ role: Role, readFrom path: String) throws(CommandError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.unreadable(role, path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.unreadable(role, path) }
        let kind = status.st_mode & S_IFMT
        guard kind != S_IFDIR else {
            throw Self.refused(role, path, "is a folder", hint: "name the file in it")
        }
        guard let content = Self.content(of: descriptor) else { throw Self.unreadable(role, path) }
        guard content.count <= Self.maximumBytes else {
            throw Self.refused(role, path, "has more than 1 MiB: it is another file", hint: "check the path")
        }
        // A pipe has no readers but the one that holds it.
        self.init(
            role, path: path, content: content,
            isReadableByAll: kind == S_IFREG && status.st_mode & S_IROTH != 0)
    }

    private static func name(_ role: Role, _ path: String) -> String {
        "the \(role.rawValue) \(Printable.text(path))"
    }

    /// All of it, or one block more than may be; nil, with `errno` set, when it cannot be read.
    private static func content(of descriptor: Int32) -> [UInt8]? {
        var content: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65536)
        while content.count <= maximumBytes {
            guard waitForContent(of: descriptor) else { return nil }
            let count = read(descriptor, &block, block.count)
            if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            guard count >= 0 else { return nil }
            guard count > 0 else { break }
            content += block[..<count]
        }
        return content
    }

    /// The refusal of a file that cannot be read, for the reason in `errno`.
    private static func unreadable(_ role: Role, _ path: String) -> CommandError {
        let reason = errno
        let hint =
            reason == EACCES
            ? "the user that runs the server has to be able to read it, and to enter each folder on the way to it, "
                + "also where a link leads: namei -l \(ShellWord.quoted(path)) shows who may"
            : "check the path"
        return refused(role, path, "cannot be read: \(String(cString: strerror(reason)))", hint: hint)
    }

    private static func refused(_ role: Role, _ path: String, _ what: String, hint: String) -> CommandError {
        CommandError(.configuration, "\(name(role, path)) \(what)", hint: hint)
    }
}
