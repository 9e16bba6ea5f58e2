internal import Foundation

/// Writes one line to standard error.
public func log(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
}
