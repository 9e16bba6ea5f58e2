internal import Foundation

/// A directory of a test's own, removed with everything in it when the last reference goes.
public final class TemporaryDirectory: Sendable {
    /// Where it is, without a trailing slash.
    public let path: String

    /// Makes a new, empty directory that only this user can enter.
    public init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "as-\(UUID().uuidString.prefix(13))")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        path = url.path(percentEncoded: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in the directory; the file need not exist.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// The permissions of a file in the directory.
    public func permissions(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file(name))[.posixPermissions] as? Int
    }
}
