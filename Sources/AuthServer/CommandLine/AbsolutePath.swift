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
        let file = of(file)
        return path.hasPrefix("/")
            ? path : join(String(file[..<(file.lastIndex(of: "/") ?? file.endIndex)]), path)
    }

    /// A path in a folder.
    static func join(_ folder: String, _ path: String) -> String {
        folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
    }
}
