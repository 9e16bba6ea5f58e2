internal import Glibc

/// Who runs the process, for a record of what was done: the user in whose name it acts, and who is behind that user.
package struct ProcessUser: Equatable, CustomStringConvertible {
    /// A user by number, and by name where that is known.
    package struct User: Equatable, CustomStringConvertible {
        /// The number.
        package let id: UInt32
        /// The name; nil where the system knows none, or it holds what is not printed.
        package let name: String?

        package init(id: UInt32, name: String?) {
            self.id = id
            self.name = name.flatMap { User.isPrintable($0) ? $0 : nil }
        }

        /// The owner of a file or a folder, wherever links on the way to it lead; nil where there is none.
        package static func owning(_ path: String) -> User? {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            return User(id: status.st_uid, name: ProcessUser.name(of: status.st_uid))
        }

        package var description: String { name.map { "\($0) (uid \(id))" } ?? "uid \(id)" }

        private static func isPrintable(_ name: String) -> Bool {
            (1...48).contains(name.utf8.count) && name.utf8.allSatisfy(isOfName)
        }

        /// Nothing that could pass for what stands beside a name: the variables of sudo say what anybody wrote there.
        private static func isOfName(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: Array("._-@+$\\".utf8).contains(byte)
            }
        }
    }

    /// In whose name it acts.
    package let acting: User
    /// Who called sudo, as the environment says; whoever may act as the user may have written something else there.
    package let sudo: User?
    /// Who logged in, as the kernel says, whatever users they became since; nil where it does not know.
    package let login: User?

    package init(acting: User, sudo: User? = nil, login: User? = nil) {
        self.acting = acting
        self.sudo = sudo
        self.login = login
    }

    /// Finds it out. The system's list of users may be on another machine: it is asked for what is told and no more.
    /// - Parameter environment: the variables that the process was started with.
    package static func read(environment: [String: String]) -> ProcessUser {
        let id = geteuid()
        let sudo = environment["SUDO_UID"].flatMap { UInt32($0) }.flatMap { sudoID in
            sudoID == id ? nil : User(id: sudoID, name: environment["SUDO_USER"] ?? name(of: sudoID))
        }
        let login = loginID().flatMap { loginID in
            loginID == id || loginID == sudo?.id ? nil : User(id: loginID, name: name(of: loginID))
        }
        return ProcessUser(acting: User(id: id, name: name(of: id)), sudo: sudo, login: login)
    }

    /// Such as `authserver (uid 998), by sudo of alice (uid 1000)`.
    package var description: String {
        "\(acting)" + (sudo.map { ", by sudo of \($0)" } ?? "") + (login.map { ", logged in as \($0)" } ?? "")
    }

    /// The user that the kernel notes at a login, and that nobody without privileges can change (pam_loginuid).
    private static func loginID() -> UInt32? {
        guard let file = try? SmallFile(path: "/proc/self/loginuid", maximumBytes: 16, patience: .zero),
            let id = UInt32(String(decoding: file.content, as: UTF8.self)), id != .max
        else { return nil }
        return id
    }

    private static func name(of id: UInt32) -> String? {
        var size = 1024
        while size <= 1 << 20 {
            var buffer = [CChar](repeating: 0, count: size)
            let (code, name) = buffer.withUnsafeMutableBufferPointer { buffer -> (Int32, String?) in
                guard let start = buffer.baseAddress else { return (0, nil) }
                var entry = passwd()
                var found: UnsafeMutablePointer<passwd>?
                let code = getpwuid_r(id, &entry, start, buffer.count, &found)
                guard let found, let name = found.pointee.pw_name else { return (code, nil) }
                return (code, String(validatingCString: name))
            }
            guard code == ERANGE else { return name }
            size *= 4
        }
        return nil
    }
}
