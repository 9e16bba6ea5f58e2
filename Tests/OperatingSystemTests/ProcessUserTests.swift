import Glibc
import Testing

@testable import OperatingSystem

@Suite("Who runs the process")
struct ProcessUserTests {
    private static let alice = ProcessUser.User(id: 1000, name: "alice")
    private static let server = ProcessUser.User(id: 998, name: "authserver")

    @Test("The user is told by name and number, and so is who is behind that user")
    func text() {
        #expect("\(ProcessUser(acting: Self.server))" == "authserver (uid 998)")
        #expect("\(ProcessUser(acting: .init(id: 7, name: nil)))" == "uid 7")
        #expect(
            "\(ProcessUser(acting: Self.server, sudo: Self.alice))"
                == "authserver (uid 998), by sudo of alice (uid 1000)")
        #expect(
            "\(ProcessUser(acting: Self.server, login: Self.alice))"
                == "authserver (uid 998), logged in as alice (uid 1000)")
    }

    @Test("The process's own user is found, as the system names it")
    func own() throws {
        let user = ProcessUser.read(environment: [:])
        #expect(user.acting.id == geteuid() && user.sudo == nil)
        let entry = try #require(getpwuid(geteuid()))
        #expect(user.acting.name == String(cString: entry.pointee.pw_name))
    }

    @Test("sudo tells who called it, and a variable that is none of its own is not believed")
    func sudo() {
        let own = geteuid()
        func caller(_ id: String?, _ name: String?) -> ProcessUser.User? {
            var environment: [String: String] = [:]
            environment["SUDO_UID"] = id
            environment["SUDO_USER"] = name
            return ProcessUser.read(environment: environment).sudo
        }
        #expect(caller("4242", "alice") == .init(id: 4242, name: "alice"))
        #expect(caller("4242", nil) == .init(id: 4242, name: nil))
        #expect(caller("\(own)", "alice") == nil)
        for id in [nil, "", "-1", "alice", "4294967296", "1000 "] { #expect(caller(id, "alice") == nil) }
    }

    @Test(
        "A name that could pass for more than a name is told by the number alone",
        arguments: [
            "", "a b", "a\nb", "a\u{1B}[31m", "a\u{202E}b", "a\u{3164}b", "ada,", "ada(uid",
            String(repeating: "a", count: 49),
        ])
    func strange(name: String) {
        #expect("\(ProcessUser.User(id: 4242, name: name))" == "uid 4242")
    }
}
