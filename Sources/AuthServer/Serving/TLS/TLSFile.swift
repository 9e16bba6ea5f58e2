import OperatingSystem

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
        let file: SmallFile
        do throws(SmallFile.Refusal) {
            file = try SmallFile(path: path, maximumBytes: Self.maximumBytes)
        } catch {
            let name = Self.name(role, path)
            throw CommandError(.configuration, "\(name) \(error)", hint: Self.hint(for: error, path))
        }
        self.init(role, path: path, content: file.content, isReadableByAll: file.isReadableByAll)
    }

    private static func name(_ role: Role, _ path: String) -> String {
        "the \(role.rawValue) \(Printable.text(path))"
    }

    private static func hint(for refusal: SmallFile.Refusal, _ path: String) -> String {
        switch refusal {
        case .folder: "name the file in it"
        case .system(let error) where error.isDenial:
            "the user that runs the server has to be able to read it, and to enter each folder on the way to it, "
                + "also where a link leads: namei -l \(ShellWord.quoted(path)) shows who may"
        default: "check the path"
        }
    }
}
