import Foundation
import Glibc
import TestSupport
import Testing

@testable import AuthServer

@Suite("TLS files")
struct TLSFileTests {
    @Test(
        "What a file looks like",
        arguments: [
            (Array(TestCertificates.server.utf8), .pem(["CERTIFICATE"])),
            (Array("\u{FEFF}-----BEGIN A-----\r\n-----BEGIN B C-----\r\n".utf8), .pem(["A", "B C"])),
            ([0x30, 0x03, 0x02, 0x01, 0x00], .der), ([0x30, 0x81, 0x03, 0x02, 0x01, 0x00], .der),
            ([0x30, 0x82, 0x00, 0x03, 0x02, 0x01, 0x03], .pkcs12),
            (Array("\0-----BEGIN A-----\n".utf8), .other), ([], .other), ([0x30], .other),
            ([0x30, 0x80], .other), ([0x30, 0x82, 0x01], .other),
            ([0x30, 0x04, 0x02, 0x01, 0x00], .other), ([0x30, 0x02, 0x02, 0x01, 0x00], .other),
            ([0x30, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .other), (Array("0text".utf8), .other),
        ] as [([UInt8], TLSFile.Form)])
    func form(content: [UInt8], form: TLSFile.Form) {
        #expect(TLSFile(.certificate, path: "a", content: content).form == form)
    }

    @Test(
        "A key that all users may read is told from one that a group may", arguments: [0o600, 0o640, 0o644])
    func mode(mode: Int) throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("key.pem")
        #expect(
            FileManager.default.createFile(
                atPath: path, contents: Data([0, 0xFF]), attributes: [.posixPermissions: mode]))
        let file = try TLSFile(.key, readFrom: path)
        #expect(file.content == [0, 0xFF])
        #expect(file.isReadableByAll == (mode == 0o644))
    }

    @Test("A file that is too large is not read to its end")
    func large() {
        let error = #expect(throws: CommandError.self) { try TLSFile(.key, readFrom: "/dev/zero") }
        #expect(error?.message == "the TLS key /dev/zero has more than 1 MiB: it is another file")
        #expect(error?.exitCode == .usage)
    }

    @Test(
        "A file that this user may not read, and how to see why",
        .enabled(if: geteuid() != 0, "root may read everything"))
    func forbidden() throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("key.pem")
        #expect(
            FileManager.default.createFile(
                atPath: path, contents: nil, attributes: [.posixPermissions: 0]))
        let error = #expect(throws: CommandError.self) { try TLSFile(.key, readFrom: path) }
        #expect(error?.message == "the TLS key \(path) cannot be read: Permission denied")
        #expect(error?.hint?.contains("namei -l \(path) ") == true)
    }
}
