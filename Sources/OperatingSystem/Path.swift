internal import Glibc

/// What the system knows of a path.
package enum Path {
    /// The folder that relative paths count from; nil when it was removed, a folder above it may not be looked into, or
    /// its name is no UTF-8.
    package static func currentFolder() -> String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return String(validatingCString: path)
    }

    /// Whether the folder that relative paths count from was removed: nothing can be made there.
    package static func isCurrentFolderRemoved() -> Bool {
        var status = stat()
        return stat(".", &status) != 0 || status.st_nlink == 0
    }

    /// Whether there is a file at a path, wherever links on the way to it lead.
    package static func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// What a symbolic link says, be that there or not; nil for what is no link.
    package static func target(ofLink path: String) -> String? {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &target, target.count)
        return count < 0 ? nil : String(characters: target[..<count])
    }
}
