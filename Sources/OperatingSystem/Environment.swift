@preconcurrency internal import Glibc

/// The variables that the process was started with.
package struct Environment: Equatable {
    /// Those whose name is ASCII and whose value is UTF-8: two spellings of a character would be one name.
    package var variables: [String: String] = [:]
    /// The names of the others, as far as they can be shown.
    package var unreadable: [String] = []

    /// Reads them.
    package static func read() -> Environment {
        var result = Environment()
        var next = environ
        while let entry = next.pointee {
            result.add(Array(UnsafeBufferPointer(start: entry, count: strlen(entry))))
            next += 1
        }
        return result
    }

    /// Takes `NAME=VALUE` apart. Of a name that is there twice the first counts, as it does for `getenv`; what has no
    /// name or no `=` is no variable.
    mutating func add(_ entry: [CChar]) {
        guard let separator = entry.firstIndex(of: CChar(UInt8(ascii: "="))), separator > 0 else { return }
        let name = entry[..<separator]
        guard name.allSatisfy({ $0 > 0 }), let value = String(valid: entry[(separator + 1)...]) else {
            unreadable.append(String(characters: name))
            return
        }
        if variables[String(characters: name)] == nil { variables[String(characters: name)] = value }
    }
}
