internal import Glibc

/// The files and sockets that the process has open.
package enum Descriptors {
    /// Whether it may open so many more. What calls a library that ends the process where it finds none left, or does not
    /// say why it failed, asks here.
    package static func areLeft(_ count: Int) -> Bool {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let opened = (0..<count).map { _ in socket(AF_UNIX, type, 0) }
        for descriptor in opened where descriptor >= 0 { close(descriptor) }
        return !opened.contains { $0 < 0 }
    }
}
