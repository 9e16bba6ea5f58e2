@preconcurrency internal import Glibc

/// The variables that the process was started with.
package enum Environment {
    /// All of them.
    package static func variables() -> [String: String] {
        var entries: [String] = []
        var next = environ
        while let entry = next.pointee {
            entries.append(String(cString: entry))
            next += 1
        }
        return variables(entries)
    }

    /// Takes `NAME=VALUE` apart. Of a name that is there twice the first counts, as it does for `getenv`; what has no
    /// name or no `=` is no variable.
    static func variables(_ entries: [String]) -> [String: String] {
        let pairs = entries.compactMap { entry -> (String, String)? in
            guard let separator = entry.utf8.firstIndex(of: UInt8(ascii: "=")), separator > entry.startIndex
            else {
                return nil
            }
            return (String(entry[..<separator]), String(entry[entry.utf8.index(after: separator)...]))
        }
        return Dictionary(pairs) { first, _ in first }
    }
}
