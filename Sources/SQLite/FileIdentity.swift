internal import Glibc

/// Which file a path names, to notice that another was put in its place.
public struct FileIdentity: Sendable, Hashable {
    private let device: UInt
    private let inode: UInt

    /// The file at a path; nil when there is none.
    public init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
    }
}
