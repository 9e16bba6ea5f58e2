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

    /// Puts something in the places of standard descriptors that are closed, so that no file or socket that is opened
    /// later gets the number of one, and what is meant for that. It can neither be read from nor be written to, so that who
    /// closed one is told the same as without it.
    package static func occupyStandardPlaces() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest number that is free, which is this one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
