internal import Foundation
internal import Glibc

/// The executables that the build made beside the tests.
public enum Product {
    /// The directory of the executables, such as `.build/debug`.
    public static var directory: String {
        let test = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        // `swift test` runs the tests' own executable; a helper of the toolchain gets the bundle as an argument.
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? test
        return URL(filePath: bundle).deletingLastPathComponent().path(percentEncoded: false)
    }

    /// The path of an executable of this package, such as `authserver`.
    /// - Throws: `TestFailure` when it was not built.
    public static func path(_ name: String) throws(TestFailure) -> String {
        let path = URL(filePath: directory).appending(path: name).path(percentEncoded: false)
        guard access(path, X_OK) == 0 else {
            throw TestFailure("\(path) is not there: swift build --product \(name)")
        }
        return path
    }
}
