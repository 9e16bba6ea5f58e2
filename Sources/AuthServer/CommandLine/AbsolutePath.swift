internal import OperatingSystem

/// Paths for a person, who may not know which folder a relative one counts from.
enum AbsolutePath {
    /// The path from the root on.
    static func of(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = Path.currentFolder() else { return path }
        return join(folder, path)
    }

    /// The path as it counts from the folder that another file is in.
    static func of(_ path: String, inFolderOf file: String) -> String {
        path.hasPrefix("/") ? path : join(folder(of: of(file)), path)
    }

    /// The folder that a file is in, as it is written.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// A path in a folder.
    static func join(_ folder: String, _ path: String) -> String {
        folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
    }
}
