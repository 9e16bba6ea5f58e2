internal import Glibc

/// Why the system refused a call.
package struct SystemError: Error, Equatable, CustomStringConvertible {
    /// The number, as in `errno`.
    package let code: Int32

    /// The reason that a call just left in `errno`.
    static var last: SystemError { SystemError(code: errno) }

    package init(code: Int32) { self.code = code }

    /// Whether the user may not do that, be it for the file or for a folder on the way to it.
    package var isDenial: Bool { code == EACCES }

    /// What the system says of it.
    package var description: String { String(cString: strerror(code)) }
}
