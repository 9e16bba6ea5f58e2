internal import Glibc

/// Why the system refused a call.
package struct SystemError: Error, Equatable, CustomStringConvertible {
    /// The number, as in `errno`.
    package let code: Int32

    /// The reason that a call just left in `errno`.
    package static var last: SystemError { SystemError(code: errno) }

    package init(code: Int32) { self.code = code }

    /// Whether the user may not do that, be it for the file or for a folder on the way to it.
    package var isDenial: Bool { code == EACCES }

    /// The process may not open another file.
    package static let noDescriptors = SystemError(code: EMFILE)

    /// What the system says of it, and what to do where that is known.
    package var description: String {
        let text = String(cString: strerror(code))
        let isOfDescriptors = code == EMFILE || code == ENFILE
        return isOfDescriptors
            ? "\(text): raise the limit (ulimit -n; in a systemd unit: LimitNOFILE=)" : text
    }
}
